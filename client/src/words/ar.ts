import type { ClientErrorCode, Words } from '../errors.ts'

/** The client's own codes in Arabic. */
export const WORDS: Record<ClientErrorCode, Words> = {
  offline: {
    title: 'لا يوجد اتصال الآن.',
    advice: 'لن يضيع شيء. يمكنك المحاولة من جديد عند عودة الاتصال.',
  },
  service_unavailable: {
    title: 'لا يمكن الوصول إلى الخدمة في الوقت الحالي.',
    advice: 'يمكنك المحاولة من جديد بعد بضع دقائق.',
  },
  session_ended: {
    title: 'تم تسجيل خروجك.',
    advice: 'سجّل الدخول من جديد للمتابعة. لن يضيع شيء.',
  },
  mail_code_invalid: {
    title: 'هذا الرمز غير صحيح أو لم يعد صالحًا.',
    advice: 'تحقّق من أحدث رسالة في بريدك أو اطلب رمزًا آخر.',
  },
  aborted: { title: 'تم إيقاف هذا.', advice: 'يمكنك البدء من جديد متى شئت.' },
  device_storage_full: {
    title: 'لم تبقَ مساحة على هذا الجهاز.',
    advice: 'احذف شيئًا لم تعد بحاجة إليه ثم حاول من جديد.',
  },
  device_storage_unavailable: {
    title: 'لا يمكن حفظ شيء هنا على هذا الجهاز.',
    advice: 'افتح التطبيق في نافذة عادية، أو اتركه مفتوحًا إلى أن يُرسَل تسجيلك.',
  },
  recording_lost: {
    title: 'لم يعد التسجيل موجودًا على هذا الجهاز.',
    advice: 'يمكنك التسجيل من جديد إن أردت.',
  },
  upload_rejected: {
    title: 'تعذّر قبول أحد الملفات.',
    advice: 'سجّله من جديد، أو أرسل البقية من دونه.',
  },
  check_in_too_old: {
    title: 'انتظر هذا التسجيل طويلًا ولم يُرسَل.',
    advice: 'حُذف من هذا الجهاز. يمكنك إجراء تسجيل جديد متى شئت.',
  },
  unknown: { title: 'حدث خلل ما.', advice: 'يمكنك المحاولة من جديد بعد بضع دقائق.' },
}
