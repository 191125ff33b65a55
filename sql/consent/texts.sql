-- The texts that students agree to: a version of a consent is one that stands here.

create table public.consent_texts (
  kind public.consent_kind not null,
  version text not null,
  language text not null,
  title text not null,
  body text not null,
  effective_from timestamptz not null default now(),
  constraint consent_texts_pkey primary key (kind, version, language),
  constraint consent_texts_version_form check (version ~ '^[A-Za-z0-9._-]{1,40}$' and version ~ '[0-9]'),
  constraint consent_texts_language_form check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
  constraint consent_texts_title_length check (char_length(btrim(title)) between 1 and 200),
  constraint consent_texts_body_length check (char_length(btrim(body)) between 1 and 20000)
);
select private.describe('public.consent_texts', 'The texts of consents, in every version and language. One that somebody agreed to stays as it is; another text is another version, which is published by a security administrator with public.publish_consent_text, or in Studio.', $$
  kind: What is agreed to.
  version: The version, up to 40 letters, digits and . _ - with a number among them; versions are compared number by number: 2026-9 is before 2026-10.
  language: Language of the text as a BCP 47 tag in its usual spelling, such as en, de or pt-BR.
  title: Heading, 1 to 200 characters.
  body: What is agreed to, 1 to 20,000 characters of plain text; an empty line separates paragraphs.
  effective_from: From when on people see the text and can agree to it.
$$);
create unique index consent_texts_one_spelling_idx on public.consent_texts (kind, private.version_numbers(version), language);

select private.declare_data('public.consent_texts', '{kind, version, language, title, body, effective_from}',
  'The texts that students agree to.');

-- In effect since before any service began, so that they hold whatever the clock says.
insert into public.consent_texts (kind, version, language, title, body, effective_from)
select t.kind::public.consent_kind, '2026-11', t.language, t.title, t.body, '2025-01-01 00:00:00+00'
from (
  values
  ('audio', 'en', 'Analysis of your voice', $$Recordings of your check-ins are analyzed for how you speak: pace, pauses, pitch and the sound of your voice. Together with what else you share, this gives an estimate of how you are doing. It is not a diagnosis.

You can withdraw at any time. Your recordings, and what was measured in them, are then deleted.$$),
  ('audio', 'de', 'Auswertung deiner Stimme', $$Aufnahmen deiner Check-ins werden darauf ausgewertet, wie du sprichst: Tempo, Pausen, Tonhöhe und Klang der Stimme. Zusammen mit dem, was du sonst mitteilst, ergibt sich eine Einschätzung, wie es dir geht. Sie ist keine Diagnose.

Du kannst jederzeit widerrufen. Dann werden deine Aufnahmen und alles, was daran gemessen wurde, gelöscht.$$),
  ('audio', 'es', 'Análisis de tu voz', $$En las grabaciones de tus registros se analiza cómo hablas: el ritmo, las pausas, el tono y el timbre de tu voz. Junto con lo demás que compartes, de ahí sale una estimación de cómo te encuentras. No es un diagnóstico.

Puedes retirar tu consentimiento en cualquier momento. Entonces se borran tus grabaciones y lo que se midió en ellas.$$),
  ('audio', 'fr', 'Analyse de votre voix', $$Les enregistrements de vos bilans sont analysés pour votre façon de parler : rythme, pauses, hauteur et timbre de la voix. Avec le reste de ce que vous partagez, il en résulte une estimation de votre état. Ce n’est pas un diagnostic.

Vous pouvez retirer votre accord à tout moment. Vos enregistrements et ce qui y a été mesuré sont alors supprimés.$$),
  ('audio', 'ar', 'تحليل صوتك', $$تُحلَّل تسجيلاتك لمعرفة طريقة كلامك: السرعة والوقفات وطبقة الصوت ونبرته. ومع ما تشاركه من أمور أخرى يُقدَّر كيف حالك. وهذا ليس تشخيصًا.

يمكنك سحب موافقتك في أي وقت، فتُحذف عندئذٍ تسجيلاتك وما قيس فيها.$$),
  ('camera', 'en', 'Analysis of pictures of your face', $$While you check in, the app takes pictures with the front camera. They are analyzed for expression, gaze and the position of your head. Nobody is recognized by them.

You can withdraw at any time. Your pictures, and what was measured in them, are then deleted.$$),
  ('camera', 'de', 'Auswertung von Bildern deines Gesichts', $$Während des Check-ins nimmt die App Bilder mit der Frontkamera auf. Sie werden auf Ausdruck, Blick und Haltung des Kopfes ausgewertet. Niemand wird daran wiedererkannt.

Du kannst jederzeit widerrufen. Dann werden deine Bilder und alles, was daran gemessen wurde, gelöscht.$$),
  ('camera', 'es', 'Análisis de imágenes de tu cara', $$Durante el registro, la aplicación toma imágenes con la cámara frontal. Se analizan la expresión, la mirada y la posición de la cabeza. No sirven para reconocer a nadie.

Puedes retirar tu consentimiento en cualquier momento. Entonces se borran tus imágenes y lo que se midió en ellas.$$),
  ('camera', 'fr', 'Analyse d’images de votre visage', $$Pendant un bilan, l’application prend des images avec la caméra avant. On y analyse l’expression, le regard et la position de la tête. Elles ne servent à reconnaître personne.

Vous pouvez retirer votre accord à tout moment. Vos images et ce qui y a été mesuré sont alors supprimés.$$),
  ('camera', 'ar', 'تحليل صور وجهك', $$يلتقط التطبيق صورًا بالكاميرا الأمامية أثناء تسجيل حالتك، وتُحلَّل فيها تعابير الوجه والنظرة ووضعية الرأس. ولا تُستعمل للتعرّف على أي شخص.

يمكنك سحب موافقتك في أي وقت، فتُحذف عندئذٍ صورك وما قيس فيها.$$),
  ('text', 'en', 'Analysis of what you say', $$What you say is written down and analyzed: mood, topics, and words that may point to a crisis. If your university has commissioned a provider for it, recordings are written down and texts are read by that provider’s software.

If your words point to acute danger, your university’s counselors are told that somebody should look after you. They do not get your words.

You can withdraw at any time. Transcripts, and what was found in them, are then deleted.$$),
  ('text', 'de', 'Auswertung dessen, was du sagst', $$Was du sagst, wird verschriftet und ausgewertet: Stimmung, Themen und Worte, die auf eine Krise hindeuten können. Hat deine Hochschule einen Anbieter damit beauftragt, verschriftet und liest dessen Software die Texte.

Deuten deine Worte auf akute Gefahr, erfährt die Beratung deiner Hochschule, dass jemand nach dir sehen sollte. Deine Worte bekommt sie nicht.

Du kannst jederzeit widerrufen. Dann werden die Texte und alles, was darin gefunden wurde, gelöscht.$$),
  ('text', 'es', 'Análisis de lo que dices', $$Lo que dices se transcribe y se analiza: el estado de ánimo, los temas y las palabras que puedan indicar una crisis. Si tu universidad lo ha encargado a un proveedor, su software transcribe las grabaciones y lee los textos.

Si tus palabras indican un peligro serio, se avisa al servicio de orientación de tu universidad de que alguien debería ocuparse de ti. No recibe tus palabras.

Puedes retirar tu consentimiento en cualquier momento. Entonces se borran las transcripciones y lo que se encontró en ellas.$$),
  ('text', 'fr', 'Analyse de ce que vous dites', $$Ce que vous dites est transcrit et analysé : l’humeur, les sujets, et les mots qui peuvent annoncer une crise. Si votre université en a chargé un prestataire, son logiciel transcrit les enregistrements et lit les textes.

Si vos mots annoncent un danger imminent, le service d’écoute de votre université apprend que quelqu’un devrait s’occuper de vous. Il ne reçoit pas vos mots.

Vous pouvez retirer votre accord à tout moment. Les transcriptions et ce qui y a été trouvé sont alors supprimés.$$),
  ('text', 'ar', 'تحليل ما تقوله', $$يُدوَّن ما تقوله ويُحلَّل: المزاج والموضوعات والكلمات التي قد تدل على أزمة. وإذا كلّفت جامعتك جهة خارجية بذلك، فإن برنامجها يدوّن التسجيلات ويقرأ النصوص.

وإذا دلّت كلماتك على خطر شديد، يُبلَّغ مرشدو جامعتك بأن على أحد أن يطمئن عليك، ولا تصلهم كلماتك.

يمكنك سحب موافقتك في أي وقت، فتُحذف عندئذٍ النصوص وما وُجد فيها.$$),
  ('support_circle', 'en', 'Your support circle', $$You can name people whom you trust. Each is asked first whether they agree. You can ask them to check on you, and if your results are worrying on several days they get a text message on their own. It has your name, and never your score or what you said.

You can withdraw at any time. What is under way then ends.$$),
  ('support_circle', 'de', 'Dein Unterstützerkreis', $$Du kannst Menschen benennen, denen du vertraust. Jede Person wird zuerst gefragt, ob sie einverstanden ist. Du kannst sie bitten, sich bei dir zu melden; sind deine Ergebnisse an mehreren Tagen besorgniserregend, bekommen sie von selbst eine Textnachricht. Darin steht dein Name, aber nie dein Ergebnis oder was du gesagt hast.

Du kannst jederzeit widerrufen. Was gerade läuft, endet dann.$$),
  ('support_circle', 'es', 'Tu círculo de apoyo', $$Puedes nombrar a personas de confianza. A cada una se le pregunta antes si está de acuerdo. Puedes pedirles que se interesen por ti y, si tus resultados son preocupantes varios días, reciben un mensaje de texto sin que lo pidas. Lleva tu nombre, pero nunca tu resultado ni lo que dijiste.

Puedes retirar tu consentimiento en cualquier momento. Entonces termina lo que esté en curso.$$),
  ('support_circle', 'fr', 'Votre cercle de soutien', $$Vous pouvez désigner des personnes de confiance. On demande d’abord à chacune si elle est d’accord. Vous pouvez leur demander de prendre de vos nouvelles ; si vos résultats sont préoccupants pendant plusieurs jours, elles reçoivent un SMS sans que vous le demandiez. Il porte votre nom, mais jamais votre résultat ni ce que vous avez dit.

Vous pouvez retirer votre accord à tout moment. Ce qui est en cours prend alors fin.$$),
  ('support_circle', 'ar', 'دائرة دعمك', $$يمكنك تسمية أشخاص تثق بهم، ويُسأل كل منهم أولًا هل يوافق. يمكنك أن تطلب منهم الاطمئنان عليك، وإذا كانت نتائجك مقلقة في عدة أيام تصلهم رسالة نصية تلقائيًا. فيها اسمك، وليس فيها أبدًا نتيجتك ولا ما قلته.

يمكنك سحب موافقتك في أي وقت، فينتهي عندئذٍ ما هو جارٍ.$$),
  ('counselor_access', 'en', 'Counselors see your results', $$The counselors of your university may see your scores, how they change, and how serious the risk is. They do not get your recordings, your pictures or your words. Whenever they open your record, you can see it.

You can withdraw at any time. They then see nothing more.$$),
  ('counselor_access', 'de', 'Die Beratung sieht deine Ergebnisse', $$Die Beratung deiner Hochschule darf deine Ergebnisse sehen, wie sie sich verändern und wie ernst das Risiko ist. Aufnahmen, Bilder und Worte bekommt sie nicht. Jedes Mal, wenn sie deine Daten öffnet, kannst du das sehen.

Du kannst jederzeit widerrufen. Dann sieht sie nichts mehr.$$),
  ('counselor_access', 'es', 'El servicio de orientación ve tus resultados', $$El servicio de orientación de tu universidad puede ver tus resultados, cómo cambian y la seriedad del riesgo. No recibe tus grabaciones, tus imágenes ni tus palabras. Cada vez que abre tu ficha, tú puedes verlo.

Puedes retirar tu consentimiento en cualquier momento. Entonces deja de ver tus datos.$$),
  ('counselor_access', 'fr', 'Le service d’écoute voit vos résultats', $$Le service d’écoute de votre université peut voir vos résultats, leur évolution et la gravité du risque. Il ne reçoit ni vos enregistrements, ni vos images, ni vos mots. Chaque fois qu’il ouvre votre dossier, vous pouvez le voir.

Vous pouvez retirer votre accord à tout moment. Il ne voit alors plus rien.$$),
  ('counselor_access', 'ar', 'اطّلاع المرشدين على نتائجك', $$يمكن لمرشدي جامعتك الاطلاع على نتائجك وكيف تتغير ومدى خطورة الوضع. ولا تصلهم تسجيلاتك ولا صورك ولا كلماتك. ويمكنك أن ترى متى فتحوا ملفك في كل مرة.

يمكنك سحب موافقتك في أي وقت، فلا يرون بعدها شيئًا.$$),
  ('research_export', 'en', 'Use of your data for research', $$You agree that data about you may be used for research, without your name. Nobody gets any at present, and nothing changes for you if you decline.

You can withdraw at any time.$$),
  ('research_export', 'de', 'Nutzung deiner Daten für die Forschung', $$Du bist einverstanden, dass Daten über dich ohne deinen Namen für die Forschung genutzt werden dürfen. Zurzeit bekommt niemand solche Daten, und wenn du ablehnst, ändert sich für dich nichts.

Du kannst jederzeit widerrufen.$$),
  ('research_export', 'es', 'Uso de tus datos para la investigación', $$Aceptas que se puedan usar datos sobre ti para la investigación, sin tu nombre. Actualmente nadie los recibe y, si no aceptas, nada cambia para ti.

Puedes retirar tu consentimiento en cualquier momento.$$),
  ('research_export', 'fr', 'Utilisation de vos données pour la recherche', $$Vous acceptez que des données vous concernant soient utilisées pour la recherche, sans votre nom. Personne n’en reçoit actuellement, et rien ne change pour vous si vous refusez.

Vous pouvez retirer votre accord à tout moment.$$),
  ('research_export', 'ar', 'استعمال بياناتك في البحث العلمي', $$توافق على إمكان استعمال بيانات عنك في البحث العلمي دون اسمك. ولا يحصل عليها أحد حاليًا، ولن يتغير شيء بالنسبة إليك إن رفضت.

يمكنك سحب موافقتك في أي وقت.$$)
) as t (kind, language, title, body);

-- From this version on a review shows the passages that raised it: private.lets_words_be_seen.
insert into public.consent_texts (kind, version, language, title, body, effective_from)
select 'text', '2026-11.2', t.language, o.title, replace(o.body, t.before, t.after), o.effective_from
from (
  values
  ('en', 'They do not get your words.',
    'As long as your transcript is kept they see the sentences that point to it, and nothing else of what you said.'),
  ('de', 'Deine Worte bekommt sie nicht.',
    'Solange der Text aufbewahrt wird, sieht sie die Sätze, die darauf hindeuten, und sonst nichts von dem, was du gesagt hast.'),
  ('es', 'No recibe tus palabras.',
    'Mientras se conserve la transcripción, ve las frases que lo indican y nada más de lo que dijiste.'),
  ('fr', 'Il ne reçoit pas vos mots.',
    'Tant que la transcription est conservée, il voit les phrases qui l’annoncent, et rien d’autre de ce que vous avez dit.'),
  ('ar', '، ولا تصلهم كلماتك.', '. وما دام النص محفوظًا فإنهم يرون الجمل التي تدل على ذلك، ولا شيء غيرها مما قلته.')
) as t (language, before, after)
join public.consent_texts o on o.kind = 'text' and o.version = '2026-11' and o.language = t.language;
select private.declare_audited('public.consent_texts', 'version');

-- Waits for a consent that is being given, which locks the row of its text.
create function private.keep_consent_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.consents c where c.kind = old.kind and c.version = old.version) then
    raise exception 'Somebody agreed to this text, which stays as it is: publish another version instead.'
      using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end
$$;
comment on function private.keep_consent_text is 'Trigger: a text that somebody agreed to is neither changed nor deleted.';

create trigger keep_consent_text before delete on public.consent_texts
for each row execute function private.keep_consent_text();

create trigger keep_changed_consent_text before update on public.consent_texts
for each row when (old.* is distinct from new.*) execute function private.keep_consent_text();

create function private.require_texts_of_versions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select
    from private.required_consent_versions r
    where not exists (
      select
      from public.consent_texts t
      where t.kind = r.kind and t.effective_from <= now()
        and private.version_numbers(t.version) >= private.version_numbers(r.version)
    )
  ) then
    raise exception 'Nobody could agree to the version that is required: first publish its text, in effect from now on.'
      using errcode = 'restrict_violation';
  end if;
  return null;
end
$$;
comment on function private.require_texts_of_versions is 'Trigger: a version is required only where there is a text of it, or of a later one, to agree to.';

create trigger require_texts_of_versions after insert or update on private.required_consent_versions
for each statement execute function private.require_texts_of_versions();

create trigger require_texts_of_versions after update or delete on public.consent_texts
for each statement execute function private.require_texts_of_versions();

create trigger refuse_emptying before truncate on public.consent_texts
for each statement execute function private.refuse_emptying();

create function private.publish_consent_text(
  kind public.consent_kind, version text, language text, title text, body text, effective_from timestamptz
) returns public.consent_texts
language plpgsql security definer set search_path = '' as $$
declare
  published public.consent_texts;
begin
  perform private.require_security_admin();
  insert into public.consent_texts as t (kind, version, language, title, body, effective_from)
  values (
    publish_consent_text.kind, publish_consent_text.version, publish_consent_text.language, publish_consent_text.title,
    publish_consent_text.body, coalesce(publish_consent_text.effective_from, now())
  )
  on conflict on constraint consent_texts_pkey do update
  set title = excluded.title, body = excluded.body,
    effective_from = coalesce(publish_consent_text.effective_from, t.effective_from)
  returning * into published;
  return published;
end
$$;
comment on function private.publish_consent_text is 'Implementation of public.publish_consent_text, which calls it.';

create function public.publish_consent_text(
  kind public.consent_kind, version text, language text, title text, body text, effective_from timestamptz default null
) returns public.consent_texts
language sql set search_path = ''
begin atomic select private.publish_consent_text(kind, version, language, title, body, effective_from); end;
comment on function public.publish_consent_text is 'Publishes the text of a version of a consent in a language, or corrects one that nobody has agreed to yet; in effect from now on where nothing else is said. Called by security administrators.';

create function private.newest_consent_texts(wanted text[]) returns setof public.consent_texts
language sql stable security definer set search_path = '' as $$
  select chosen.*
  from unnest(enum_range(null::public.consent_kind)) as k (kind)
  cross join lateral (
    select t.*
    from public.consent_texts t
    where t.kind = k.kind and t.effective_from <= now()
    order by private.version_numbers(t.version) desc, private.place_of_language(t.language, wanted),
      length(t.language) desc, t.language
    limit 1
  ) as chosen
  order by k.kind
$$;
comment on function private.newest_consent_texts is 'Of each kind the newest text in effect, in the first of these languages that it has, else in English, else in any. Called by GET /api/consent-texts.';
