-- What the database sends to contacts, and counselors to students, by language. The pages' words are in functions/_shared/support/words/.

create table private.message_texts (
  language text not null,
  key text not null,
  wording text not null,
  constraint message_texts_pkey primary key (language, key),
  constraint message_texts_language_served check (private.served_language(language) = language)
);
select private.describe('private.message_texts',
  'Texts and mails to contacts, and kind mails of counselors to students, each in every language that is served; what stands in braces is filled in.', $$
  language: Language, a BCP 47 tag.
  key: What it is for. Of those that end in .full, .short and .bare, a text gets the first that fits with the names.
  wording: The words. Those of texts have no letter outside of GSM 7-bit where the script has one, so that a text is one segment.
$$);
select private.declare_data('private.message_texts', '{language, key, wording}', 'What messages to contacts and students say.');

insert into private.message_texts (language, key, wording)
values
  ('en', 'contact', 'there'),
  ('en', 'student', 'a friend of yours'),
  ('en', 'student.whole', 'A student'),
  ('en', 'university', 'their university'),
  ('en', 'days.one', 'one worrying day'),
  ('en', 'days.other', '{days} worrying days'),
  ('en', 'check_in.full', 'Student wellbeing: Hi {contact}, {student} asks you to check in today: {link} Reply STOP to opt out'),
  ('en', 'check_in.short', 'Student wellbeing: {student} asks you to check in today: {link} STOP to opt out'),
  ('en', 'check_in.bare', 'Student wellbeing: {student} asks you to check in: {link} STOP ends'),
  ('en', 'alert.full', 'Student wellbeing (automated): {contact}, please check on {student}, {worrying}: {link} Reply STOP to opt out'),
  ('en', 'alert.short', 'Student wellbeing (automated): check on {student}, {worrying}. {link} STOP ends'),
  ('en', 'alert.bare', 'Student wellbeing (auto): {student}, {worrying}. {link} STOP ends'),
  ('en', 'all_right.full', 'Student wellbeing: Hi {contact}, {student} says they are all right. Thank you for being there. Reply STOP to opt out'),
  ('en', 'all_right.short', 'Student wellbeing: {student} says they are all right. Thank you. Reply STOP to opt out'),
  ('en', 'all_right.bare', 'Student wellbeing: {student} says they are all right. STOP ends'),
  ('en', 'first.full', 'Student wellbeing: a student called "{student}" named this number as support contact. Reply YES to agree, or type {code} on our email''s page. Reply STOP to refuse'),
  ('en', 'first.short', 'Student wellbeing: student "{student}" named your number as contact. Reply YES to agree, or type {code} on our email''s page. STOP to refuse'),
  ('en', 'first.bare', 'Student wellbeing: "{student}" named you as contact. Agree: YES, or {code} on our email''s page. Refuse: STOP'),
  ('en', 'mail.subject', '{student} would like you in their support circle'),
  ('en', 'mail.of_university', ' of {university}'),
  ('en', 'mail.body', $$Hi {contact},

{student} named you as somebody they trust, and asks whether you would be one of up to five people in their support circle on the student wellbeing service{of_university}.

If you agree, one text asks whether the number that they gave us is yours and agrees too. After that you may now and then get a text message that asks you to check in on them: because they ask for it, or because they have seemed to be struggling for some days. You call or write to them as you would anyway. You learn nothing else about them, and you are never responsible for them.

Read more, choose your language and decide here, within {days} days:
{link}

If you do not want this, or do not know who this is, say no on that page or ignore this email: nobody is texted who has not agreed. If you say that you do not know who this is, no student can have us write to you again. You can also stop later, at any time, by replying STOP to a text. To change your time zone or language later, use the page that a text leads to.

If somebody is in danger now, call the emergency services.$$),

  ('de', 'contact', 'liebe Vertrauensperson'),
  ('de', 'student', 'jemand, der Ihnen vertraut'),
  ('de', 'student.whole', 'Jemand von einer Universität'),
  ('de', 'university', 'der Universität'),
  ('de', 'days.one', 'ein schwerer Tag'),
  ('de', 'days.other', '{days} schwere Tage'),
  ('de', 'check_in.full', 'Student wellbeing: Hallo {contact}, {student} bittet Sie, sich heute zu melden: {link} Ende mit STOP'),
  ('de', 'check_in.short', 'Student wellbeing: {student} bittet heute um Kontakt: {link} Ende: STOP'),
  ('de', 'check_in.bare', 'Student wellbeing: {student} bittet um Kontakt: {link} Ende: STOP'),
  ('de', 'alert.full', 'Student wellbeing (automatisch): {contact}, bitte bei {student} melden, {worrying}: {link} Ende mit STOP'),
  ('de', 'alert.short', 'Student wellbeing (automatisch): {student}, {worrying}. {link} Ende: STOP'),
  ('de', 'alert.bare', 'Student wellbeing (auto): {student}, {worrying}. {link} Ende: STOP'),
  ('de', 'all_right.full', 'Student wellbeing: Hallo {contact}, {student} sagt, dass alles in Ordnung ist. Danke, dass Sie da waren. Ende mit STOP'),
  ('de', 'all_right.short', 'Student wellbeing: {student} sagt, dass alles in Ordnung ist. Danke. Ende mit STOP'),
  ('de', 'all_right.bare', 'Student wellbeing: {student} sagt, dass alles in Ordnung ist. Ende: STOP'),
  ('de', 'first.full', 'Student wellbeing: "{student}" hat diese Nummer als Kontakt genannt. Einverstanden? Antwort YES, oder {code} auf der Seite unserer E-Mail. Ablehnen: STOP'),
  ('de', 'first.short', 'Student wellbeing: "{student}" nennt Ihre Nummer als Kontakt. Ja: Antwort YES oder {code} auf der Seite unserer E-Mail. Nein: STOP'),
  ('de', 'first.bare', 'Student wellbeing: "{student}" nennt Sie als Kontakt. Ja: YES oder {code} auf der Seite unserer E-Mail. Nein: STOP'),
  ('de', 'mail.subject', '{student} möchte Sie als Vertrauensperson'),
  ('de', 'mail.of_university', ' von {university}'),
  ('de', 'mail.body', $$Hallo {contact},

{student} hat Sie als Vertrauensperson genannt und fragt, ob Sie eine von bis zu fünf Kontaktpersonen beim Dienst Student wellbeing{of_university} sein möchten.

Wenn Sie einverstanden sind, fragt eine SMS, ob die Nummer, die uns genannt wurde, Ihre ist und auch einverstanden ist. Danach bekommen Sie ab und zu eine SMS mit der Bitte, sich zu melden: weil {student} darum bittet oder seit einigen Tagen zu kämpfen scheint. Sie rufen an oder schreiben, wie Sie es ohnehin täten. Sonst erfahren Sie nichts, und Sie sind nie verantwortlich.

Hier lesen Sie mehr, wählen Ihre Sprache und entscheiden, innerhalb von {days} Tagen:
{link}

Wenn Sie das nicht möchten oder nicht wissen, wer das ist, lehnen Sie auf der Seite ab oder beachten Sie diese E-Mail nicht: Niemand bekommt eine SMS ohne Einverständnis. Wenn Sie angeben, dass Sie die Person nicht kennen, kann niemand uns noch einmal an Sie schreiben lassen. Sie können auch später jederzeit aufhören: Antworten Sie STOP auf eine SMS. Zeitzone und Sprache ändern Sie später auf der Seite, zu der eine SMS führt.

Wenn jetzt jemand in Gefahr ist, rufen Sie den Notruf.$$),

  ('es', 'contact', 'persona de confianza'),
  ('es', 'student', 'alguien que confía en usted'),
  ('es', 'student.whole', 'Alguien de una universidad'),
  ('es', 'university', 'su universidad'),
  ('es', 'days.one', 'una jornada mala'),
  ('es', 'days.other', '{days} jornadas malas'),
  ('es', 'check_in.full', 'Student wellbeing: Hola {contact}, {student} le pide que se ponga en contacto hoy: {link} Para terminar: STOP'),
  ('es', 'check_in.short', 'Student wellbeing: {student} le pide contacto hoy: {link} Fin: STOP'),
  ('es', 'check_in.bare', 'Student wellbeing: {student} le pide contacto: {link} Fin: STOP'),
  ('es', 'alert.full', 'Student wellbeing (automatizado): {contact}, contacte con {student}, {worrying}: {link} Para terminar: STOP'),
  ('es', 'alert.short', 'Student wellbeing (automatizado): {student}, {worrying}. {link} Fin: STOP'),
  ('es', 'alert.bare', 'Student wellbeing (auto): {student}, {worrying}. {link} Fin: STOP'),
  ('es', 'all_right.full', 'Student wellbeing: Hola {contact}, {student} dice que todo va bien. Gracias por su apoyo. Para terminar: STOP'),
  ('es', 'all_right.short', 'Student wellbeing: {student} dice que todo va bien. Gracias. Para terminar: STOP'),
  ('es', 'all_right.bare', 'Student wellbeing: {student} dice que todo va bien. Fin: STOP'),
  ('es', 'first.full', 'Student wellbeing: "{student}" dio este móvil como contacto de apoyo. Para aceptar responda YES o escriba {code} en la página de nuestro correo. Para rechazar: STOP'),
  ('es', 'first.short', 'Student wellbeing: "{student}" quiere que sea su contacto. Para aceptar responda YES o use {code} en la web de nuestro correo. Rechazar: STOP'),
  ('es', 'first.bare', 'Student wellbeing: "{student}" le pide ser su contacto. Aceptar: YES o {code} en la web de nuestro correo. No: STOP'),
  ('es', 'mail.subject', '{student} quiere contar con usted en su círculo de apoyo'),
  ('es', 'mail.of_university', ' de {university}'),
  ('es', 'mail.body', $$Hola, {contact}:

{student} le ha nombrado como persona de confianza y pregunta si quiere ser una de las cinco personas, como máximo, de su círculo de apoyo en el servicio Student wellbeing{of_university}.

Si acepta, un mensaje de texto pregunta si el número que nos dio es suyo y también acepta. Después puede recibir de vez en cuando un mensaje que le pide ponerse en contacto: porque {student} lo pide o porque parece que lleva unos días difíciles. Usted llama o escribe como lo haría de todos modos. No sabrá nada más, y nunca es responsable.

Lea más, elija su idioma y decida aquí, en un plazo de {days} días:
{link}

Si no lo desea, o no sabe quién es, dígalo en esa página o ignore este correo: nadie recibe mensajes sin haber aceptado. Si dice que no conoce a esta persona, ningún estudiante podrá hacer que le escribamos otra vez. También puede dejarlo más tarde, en cualquier momento, respondiendo STOP a un mensaje. Para cambiar después su zona horaria o idioma, use la página a la que lleva un mensaje.

Si alguien está en peligro ahora, llame a los servicios de emergencia.$$),

  ('fr', 'contact', 'cher contact'),
  ('fr', 'student', 'une personne qui vous fait confiance'),
  ('fr', 'student.whole', 'Une personne d’une université'),
  ('fr', 'university', 'son université'),
  ('fr', 'days.one', 'un jour difficile'),
  ('fr', 'days.other', '{days} jours difficiles'),
  ('fr', 'check_in.full', 'Student wellbeing: Bonjour {contact}, {student} vous demande de prendre contact aujourd''hui: {link} Pour ne plus rien recevoir: STOP'),
  ('fr', 'check_in.short', 'Student wellbeing: {student} vous demande un signe: {link} Fin: STOP'),
  ('fr', 'check_in.bare', 'Student wellbeing: {student} vous demande un signe: {link} STOP'),
  ('fr', 'alert.full', 'Student wellbeing (automatique): {contact}, contactez {student}, {worrying}: {link} Pour terminer: STOP'),
  ('fr', 'alert.short', 'Student wellbeing (automatique): {student}, {worrying}. {link} Fin: STOP'),
  ('fr', 'alert.bare', 'Student wellbeing (auto): {student}, {worrying}. {link} Fin: STOP'),
  ('fr', 'all_right.full', 'Student wellbeing: Bonjour {contact}, {student} dit que tout va bien. Merci de votre soutien. Pour terminer: STOP'),
  ('fr', 'all_right.short', 'Student wellbeing: {student} dit que tout va bien. Merci. Pour terminer: STOP'),
  ('fr', 'all_right.bare', 'Student wellbeing: {student} dit que tout va bien. Fin: STOP'),
  ('fr', 'first.full', 'Student wellbeing: "{student}" a donné ce numéro comme contact. Pour accepter, répondez YES ou tapez {code} sur la page de notre e-mail. Pour refuser: STOP'),
  ('fr', 'first.short', 'Student wellbeing: "{student}" vous demande comme contact. Accepter: YES ou {code} sur la page de notre e-mail. Refuser: STOP'),
  ('fr', 'first.bare', 'Student wellbeing: "{student}" vous demande comme contact. Oui: YES ou {code} sur la page de notre e-mail. Non: STOP'),
  ('fr', 'mail.subject', '{student} aimerait vous avoir dans son cercle de soutien'),
  ('fr', 'mail.of_university', ' de {university}'),
  ('fr', 'mail.body', $$Bonjour {contact},

{student} vous a désigné comme personne de confiance et demande si vous voulez être l’une des cinq personnes au plus de son cercle de soutien dans le service Student wellbeing{of_university}.

Si vous acceptez, un SMS demande si le numéro qui nous a été donné est le vôtre et accepte aussi. Ensuite, vous recevrez de temps en temps un SMS qui vous invite à prendre contact : parce que {student} le demande, ou semble aller mal depuis quelques jours. Vous appelez ou écrivez comme vous le feriez de toute façon. Vous n’apprendrez rien d’autre, et vous n’êtes jamais responsable.

Pour en savoir plus, choisir votre langue et décider, dans les {days} jours :
{link}

Si vous ne le souhaitez pas, ou ne savez pas qui c’est, dites-le sur cette page ou ignorez cet e-mail : personne ne reçoit de SMS sans avoir accepté. Si vous dites ne pas connaître cette personne, aucun étudiant ne pourra plus nous faire vous écrire. Vous pouvez aussi arrêter plus tard, à tout moment, en répondant STOP à un SMS. Pour changer ensuite de fuseau horaire ou de langue, utilisez la page à laquelle mène un SMS.

Si quelqu’un est en danger maintenant, appelez les services d’urgence.$$),

  ('ar', 'contact', 'صديقنا'),
  ('ar', 'student', 'شخص يثق بك'),
  ('ar', 'student.whole', 'شخص من إحدى الجامعات'),
  ('ar', 'university', 'الجامعة'),
  ('ar', 'days.one', 'أيام مقلقة: {days}'),
  ('ar', 'days.other', 'أيام مقلقة: {days}'),
  ('ar', 'check_in.full', 'Student wellbeing: مرحبًا {contact}، {student} بحاجة إلى تواصلك اليوم: {link} للإيقاف: STOP'),
  ('ar', 'check_in.short', 'Student wellbeing: {student} بحاجة إلى تواصلك: {link} للإيقاف: STOP'),
  ('ar', 'check_in.bare', 'Student wellbeing: {student} بحاجة إليك: {link} STOP'),
  ('ar', 'alert.full', 'Student wellbeing (آلي): {contact}، يرجى التواصل مع {student}، {worrying}. {link} للإيقاف: STOP'),
  ('ar', 'alert.short', 'Student wellbeing (آلي): {student}، {worrying}. {link} للإيقاف: STOP'),
  ('ar', 'alert.bare', 'Student wellbeing (آلي): {student}، {worrying} {link} STOP'),
  ('ar', 'all_right.full', 'Student wellbeing: مرحبًا {contact}، {student}: كل شيء على ما يرام. شكرًا لوقوفك إلى الجانب. للإيقاف: STOP'),
  ('ar', 'all_right.short', 'Student wellbeing: {student}: كل شيء على ما يرام. شكرًا. للإيقاف: STOP'),
  ('ar', 'all_right.bare', 'Student wellbeing: {student}: كل شيء على ما يرام. STOP'),
  ('ar', 'first.full', 'Student wellbeing: ورد رقمك كجهة دعم من "{student}". للموافقة: YES أو اكتب {code} في صفحة بريدنا. للرفض: STOP'),
  ('ar', 'first.short', 'Student wellbeing: رقمك جهة دعم لدى "{student}". للموافقة: YES أو {code} في صفحة بريدنا. للرفض: STOP'),
  ('ar', 'first.bare', 'Student wellbeing: رقمك لدى "{student}". للموافقة: YES أو {code} في صفحة بريدنا. للرفض: STOP'),
  ('ar', 'mail.subject', 'دعوة من {student} إلى دائرة الدعم'),
  ('ar', 'mail.of_university', ' في {university}'),
  ('ar', 'mail.body', $$مرحبًا {contact}،

وصلتك هذه الرسالة لأن {student} اختارك شخصًا موثوقًا، والسؤال هو: هل تود أن تكون واحدًا من خمسة أشخاص على الأكثر في دائرة الدعم ضمن خدمة Student wellbeing{of_university}؟

إذا وافقت، تسألك رسالة نصية واحدة هل الرقم الذي أُعطي لنا هو رقمك وهل يوافق أيضًا. بعد ذلك قد تصلك من حين إلى آخر رسالة نصية تطلب منك التواصل: إما لأن {student} طلب ذلك، أو لأن الأيام الأخيرة بدت صعبة. اتصل أو اكتب كما تفعل عادة. لن تعرف أي شيء آخر، ولن تكون مسؤولًا أبدًا.

اقرأ المزيد واختر لغتك وقرر هنا خلال {days} أيام:
{link}

إن كنت لا تريد ذلك، أو لا تعرف من هذا الشخص، فارفض في تلك الصفحة أو تجاهل هذه الرسالة: لا نرسل رسائل نصية إلى من لم يوافق. وإذا قلت إنك لا تعرف هذا الشخص، فلن يتمكن أي طالب من جعلنا نكتب إليك مرة أخرى. ويمكنك التوقف لاحقًا في أي وقت بالرد بكلمة STOP على أي رسالة نصية. ولتغيير منطقتك الزمنية أو لغتك لاحقًا استخدم الصفحة التي تقود إليها الرسالة النصية.

إذا كان هناك من هو في خطر الآن، فاتصل بخدمات الطوارئ.$$);

-- Kind messages of counselors to students, who are addressed as in their app.
insert into private.message_texts (language, key, wording)
values
  ('en', 'nudge.subject', 'A note from your university'),
  ('en', 'nudge.greeting', 'Hello {student},'),
  ('en', 'nudge.greeting_bare', 'Hello,'),
  ('en', 'nudge.thinking_of_you', 'We are thinking of you and hope that you are all right. You need do nothing. If you would like to talk, we are there.'),
  ('en', 'nudge.come_by', 'We would be glad to see you. Come by whenever it suits you, with or without a reason.'),
  ('en', 'nudge.check_in', 'How are you? If you feel like it, do a check-in in the app today. It also helps us to see how we can be there for you.'),
  ('en', 'nudge.reply', 'You can write to us at {email}.'),
  ('en', 'nudge.danger', 'If you are in danger or think of harming yourself, call now: {emergency}.'),

  ('de', 'nudge.subject', 'Ein Gruß von deiner Universität'),
  ('de', 'nudge.greeting', 'Hallo {student},'),
  ('de', 'nudge.greeting_bare', 'Hallo,'),
  ('de', 'nudge.thinking_of_you', 'wir denken an dich und hoffen, dass es dir gut geht. Du musst nichts tun. Wenn du reden möchtest, sind wir da.'),
  ('de', 'nudge.come_by', 'wir würden uns freuen, dich zu sehen. Komm vorbei, wann es dir passt, mit oder ohne Anlass.'),
  ('de', 'nudge.check_in', 'wie geht es dir? Wenn du magst, mach heute einen Check-in in der App. Er hilft auch uns, für dich da zu sein.'),
  ('de', 'nudge.reply', 'Du kannst uns unter {email} schreiben.'),
  ('de', 'nudge.danger', 'Wenn du in Gefahr bist oder daran denkst, dir etwas anzutun, ruf jetzt an: {emergency}.'),

  ('es', 'nudge.subject', 'Un saludo de tu universidad'),
  ('es', 'nudge.greeting', 'Hola, {student}:'),
  ('es', 'nudge.greeting_bare', 'Hola:'),
  ('es', 'nudge.thinking_of_you', 'Pensamos en ti y esperamos que estés bien. No tienes que hacer nada. Si te apetece hablar, aquí estamos.'),
  ('es', 'nudge.come_by', 'Nos alegraría verte. Pásate cuando te venga bien, con motivo o sin él.'),
  ('es', 'nudge.check_in', '¿Cómo estás? Si te apetece, haz hoy un registro en la aplicación. También nos ayuda a estar a tu lado.'),
  ('es', 'nudge.reply', 'Puedes escribirnos a {email}.'),
  ('es', 'nudge.danger', 'Si estás en peligro o piensas en hacerte daño, llama ahora: {emergency}.'),

  ('fr', 'nudge.subject', 'Un mot de votre université'),
  ('fr', 'nudge.greeting', 'Bonjour {student},'),
  ('fr', 'nudge.greeting_bare', 'Bonjour,'),
  ('fr', 'nudge.thinking_of_you', 'Nous pensons à vous et espérons que vous allez bien. Vous n’avez rien à faire. Si vous souhaitez parler, nous sommes là.'),
  ('fr', 'nudge.come_by', 'Nous serions heureux de vous voir. Passez quand cela vous convient, avec ou sans raison.'),
  ('fr', 'nudge.check_in', 'Comment allez-vous ? Si le cœur vous en dit, faites un bilan dans l’application aujourd’hui. Il nous aide aussi à être là pour vous.'),
  ('fr', 'nudge.reply', 'Vous pouvez nous écrire à {email}.'),
  ('fr', 'nudge.danger', 'Si vous êtes en danger ou pensez à vous faire du mal, appelez maintenant : {emergency}.'),

  ('ar', 'nudge.subject', 'كلمة من جامعتك'),
  ('ar', 'nudge.greeting', 'مرحبًا {student}،'),
  ('ar', 'nudge.greeting_bare', 'مرحبًا،'),
  ('ar', 'nudge.thinking_of_you', 'نفكّر فيك ونرجو أن تكون بخير. لا يلزمك فعل أي شيء. وإن رغبت في الحديث فنحن هنا من أجلك.'),
  ('ar', 'nudge.come_by', 'يسعدنا أن نراك. تفضّل بزيارتنا في الوقت الذي يناسبك، بسبب أو بدون سبب.'),
  ('ar', 'nudge.check_in', 'كيف حالك؟ إن رغبت فسجّل اليوم حالتك في التطبيق. فهذا يساعدنا أيضًا على أن نكون إلى جانبك.'),
  ('ar', 'nudge.reply', 'يمكنك مراسلتنا على {email}.'),
  ('ar', 'nudge.danger', 'إذا كنت في خطر أو تفكّر في إيذاء نفسك فاتصل الآن: {emergency}.');

select private.declare_audited('private.message_texts', 'language');

create function private.words_of(language text, key text) returns text
language sql stable security definer set search_path = '' as $$
  select m.wording from private.message_texts m where m.language = private.served_language(words_of.language) and m.key = words_of.key
$$;
comment on function private.words_of is 'What a message says in a language, or in English where that is not served. Called wherever a message to a contact or student is written.';

create function private.language_of_contact(contact public.buddy_contacts) returns text
language sql stable security definer set search_path = '' as $$
  select private.served_language(coalesce(contact.language, private.language_of(contact.user_id)))
$$;
comment on function private.language_of_contact is 'The language of a contact: what they chose, else the student''s, else the university''s. Called wherever a contact is written to or shown a page.';

-- Letters of GSM 7-bit count one, those of its extension two; any other letter makes all of the text UCS-2, where two parts have 67 each.
create function private.fits_text(body text) returns boolean
language sql immutable set search_path = '' as $$
  select case
      when body ~ '^[]@£$¥èéùìòÇ\n\rØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&''()*+,./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~|€-]*$'
        then char_length(body) + char_length(regexp_replace(body, '[^]^{}\\[~|€]', '', 'g')) <= 160
      else char_length(body) + char_length(regexp_replace(body, '[\u0001-\uffff]', '', 'g')) <= 134
    end
$$;
comment on function private.fits_text is 'Whether a text message is as short as it has to be: one segment of GSM 7-bit, or two of UCS-2. Called by private.compose_text.';

create function private.short_name(name text, longest integer) returns text
language sql immutable set search_path = '' as $$
  select case
      when char_length(name) <= longest then name
      when char_length(split_part(name, ' ', 1)) between 2 and longest then split_part(name, ' ', 1)
      else rtrim(left(name, longest - 1), ' -''') || '.'
    end
$$;
comment on function private.short_name is 'A name of a length: its first word, or as many letters as there may be and a full stop. Called by private.compose_text.';

create function private.filled(wording text, given jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  field record;
begin
  for field in select * from jsonb_each_text(given) loop
    wording := replace(wording, '{' || field.key || '}', coalesce(field.value, ''));
  end loop;
  return wording;
end
$$;
comment on function private.filled is 'A wording with what stands in braces filled in; names hold no braces. Called wherever a message to a contact is written.';

-- The contact knows their own name, so it is shortened first; the student's last.
create function private.compose_text(language text, key text, given jsonb) returns text
language sql stable set search_path = '' as $$
  select body
  from (
    values
      (1, 'full', 30, 30), (2, 'full', 30, 12), (3, 'full', 30, 8), (4, 'short', 30, 0), (5, 'bare', 30, 0), (6, 'full', 20, 12),
      (7, 'short', 20, 0), (8, 'bare', 20, 0), (9, 'short', 12, 0), (10, 'bare', 12, 0), (11, 'bare', 7, 0)
  ) as form (place, wording, student, contact)
  cross join lateral (
    select private.filled(
        private.words_of(language, compose_text.key || '.' || form.wording),
        given || jsonb_build_object(
          'student', private.short_name(replace(given ->> 'student', '’', ''''), form.student),
          'contact', private.short_name(replace(given ->> 'contact', '’', ''''), form.contact)
        )
      ) as body
  ) as b
  order by private.fits_text(body) desc, case when private.fits_text(body) then place else -place end
  limit 1
$$;
comment on function private.compose_text is 'A text message to a contact, in the fullest form that is short enough: "given" has student, contact and what else the wording needs. Called wherever a text to a contact is written.';

create function private.worrying_days_in_words(language text, days integer) returns text
language sql stable set search_path = '' as $$
  select private.filled(private.words_of(language, case when days = 1 then 'days.one' else 'days.other' end), jsonb_build_object('days', days))
$$;
comment on function private.worrying_days_in_words is 'Over how many days there was a pattern, as a text says it. Called by private.ask_contact.';
