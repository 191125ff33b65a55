-- Why a check-in failed, or a part of it counts for little or nothing, in words to a student. Codes are made where media and words are
-- analysed; docs/errors.md says what each means, and test/schema/failure-reasons.test.ts that none is without words.

create table public.failure_reasons (
  code text not null,
  language text not null,
  title text not null,
  advice text not null,
  constraint failure_reasons_pkey primary key (code, language),
  constraint failure_reasons_code_form check (code ~ '^[a-z][a-z0-9_]{0,59}$'),
  constraint failure_reasons_title_length check (char_length(title) between 1 and 200),
  constraint failure_reasons_advice_length check (char_length(advice) between 1 and 300)
);
select private.describe('public.failure_reasons',
  'Words to a student for each reason why a check-in failed or a part of it is missing or weak, and for each error of submitting one. Apps read them by code; the service falls back from a language with a region to the one without, and to English.', $$
  code: The reason: a code of docs/errors.md, lower-case letters, digits and underscores.
  language: Language of the words, a BCP 47 tag such as en or pt-BR.
  title: What happened, one sentence of 1 to 200 characters.
  advice: What the student can do about it, 1 to 300 characters.
$$);

create function private.check_failure_reason() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and old.language = 'en' and old.code in ('crisis', 'nothing_to_score', 'analysis_failed')
    and (tg_op = 'DELETE' or (new.code, new.language) <> (old.code, old.language))
  then
    raise exception 'The English words for % are what is shown where there are no others: change them, but keep the row.', old.code
      using errcode = 'check_violation';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  perform private.require_languages(array[new.language]);
  return new;
end
$$;
comment on function private.check_failure_reason is 'Trigger: words of reasons are found by their language, so that it is one, and a check-in that failed always has some.';

create trigger check_failure_reason before insert or update or delete on public.failure_reasons
for each row execute function private.check_failure_reason();

-- The form of a line is "codes: title | advice".
insert into public.failure_reasons (language, code, title, advice)
select 'en', code, w[2], w[3]
from regexp_matches($$
  crisis: We could not score this check-in, and what you said matters. | Please talk to someone now: the contacts below are there for you.
  nothing_to_score: Nothing that was sent could be analysed. | Record again in a quiet, well-lit place and send the check-in once more.
  analysis_failed: The analysis could not be finished, which is our fault. | Send the check-in once more.
  worker_error worker_lost not_run: This part could not be analysed, which is our fault. | Send the check-in once more; you need not record again.
  media_missing: A file was lost before it could be analysed. | Upload it again and send the check-in once more.
  media_changed: A file was replaced after the check-in was sent. | Send the check-in once more, and replace nothing until it has a score.
  transcription_unavailable: Your words could not be put into writing. | You need not do anything: a check-in works without them.
  transcription_refused: Your words could not be put into writing, which is our fault. | Send the check-in once more later.
  transcription_rejected: The recording could not be put into writing. | Record again in a quiet place.
  transcription_too_large: The recording is too large to be put into writing. | Make it shorter, or record at a lower quality.
  not_provided: Nothing was sent for this part. | Add it if you like: it makes the score more certain.
  no_consent consent_required: You have not agreed to the analysis of this part. | Agree to it in the settings if you want it to count. A check-in works without it.
  low_quality no_features: Too little could be measured in this part. | A quiet, well-lit place helps.
  silent: We heard nothing in the recording. | Check that the microphone is on, allowed and not covered, and record again.
  too_little_speech: There is too little speech in the recording. | Talk for half a minute or longer.
  too_noisy: The recording is too noisy. | Find a quieter place or hold the phone closer, and record again.
  clipped: The recording is so loud that it is distorted. | Hold the phone a little further away, and record again.
  slices_missing: A part of the recording could not be analysed. | Send the check-in once more; if that does not help, record again.
  second_speaker: Somebody else can be heard in the recording. | Record where only you are talking.
  reverberant: There is a lot of echo in the recording. | Hold the phone closer, or find a room with curtains or carpets.
  gain_controlled: The phone changed the loudness of the recording. | Hold the phone close and record in a quiet place.
  pauses_cleaned: The phone removed the sound between your words. | Record in a quiet place, with noise suppression switched off if you can.
  muffled: Your voice sounds muffled. | Keep the microphone uncovered.
  summary_inconsistent: What the app observed does not fit together. | Try again; if it happens again, update the app.
  summary_low_quality: The pictures are of low quality. | Find a brighter place and hold the phone still.
  no_face: No face can be seen in the pictures. | Hold the camera at eye level with your whole face in view, and take them again.
  multiple_faces: More than one face can be seen in the pictures. | Take them again with only yourself in view.
  face_too_small: Your face is too small in the pictures. | Hold the camera closer.
  too_dark: The pictures are too dark. | Turn towards a window or a lamp.
  blurred: The pictures are blurred. | Wipe the lens and hold the phone still.
  too_few_distinct_images: The same picture was sent more than once. | Take pictures at different moments.
  turned_away: Your face is turned away in the pictures. | Look towards the camera.
  missing: Some pictures could not be found. | Upload them again and send the check-in once more.
  empty: There are no words to analyse. | Say or write a few sentences.
  too_short: There are too few words to analyse. | Say or write a few sentences more.
  not_english: Your words are not in English, which is all that can be analysed so far. | Voice and face count in any language.
  partly_not_english: Some of your words are not in English, which is all that can be analysed so far. | Voice and face count in any language.
  no_measured_speech: No speech could be found in the recording. | Check that the microphone is on, and talk for half a minute or longer.
  too_many_words: What was written down has more words than the recording can hold. | Record again in a quiet place.
  repeated_phrase: What was written down repeats one phrase. | Record again in a quiet place.
  speech_not_measured: The recording could not be analysed, which is our fault. | Send the check-in once more.
  stated_in_words: Your mood was taken from your words. | Enter it as a number to say it more exactly.
  audio_empty: The recording is an empty file. | Record again.
  audio_unreadable: The recording cannot be read. | Record again; if it happens again, update the app.
  audio_truncated: The recording is cut off. | Upload it again, or record again.
  audio_unsupported: The recording has a format that is not supported. | Update the app and record again.
  audio_too_long: The recording is too long. | Keep it under 20 minutes and 50 MB.
  audio_too_short: The recording is too short. | Talk for half a minute or longer.
  image_empty: A picture is an empty file. | Take it again.
  image_unreadable: A picture cannot be read. | Take it again; if it happens again, update the app.
  image_truncated: A picture is cut off. | Upload it again, or take it again.
  image_unsupported: A picture has a format that is not supported. | Take it again as a JPEG.
  image_too_small: A picture is too small. | Take it again at a higher resolution.
  image_too_large: A picture is too large. | Take it again at a lower resolution.
  nothing_uploaded: Nothing has arrived yet. | Send a recording, pictures or a few sentences.
  image_count: A check-in has 8 to 12 pictures, or none. | Take the ones that are missing, or go on without pictures.
  check_in_expired: This check-in has expired. | Start a new one.
  too_many_submissions: This check-in was sent three times already. | Start a new one.
  rate_limited: That was a lot in a short time. | Wait a while, then try again.
$$, '^\s*([\w ]+): (.+?) \| (.+)$', 'gn') as w, regexp_split_to_table(w[1], ' ') as code;

insert into public.failure_reasons (language, code, title, advice)
select 'de', code, w[2], w[3]
from regexp_matches($$
  crisis: Wir konnten diesen Check-in nicht auswerten, und was du gesagt hast, ist wichtig. | Bitte sprich jetzt mit jemandem: Die Kontakte unten sind für dich da.
  nothing_to_score: Nichts von dem, was ankam, ließ sich auswerten. | Nimm an einem ruhigen, hellen Ort noch einmal auf und sende den Check-in erneut.
  analysis_failed: Die Auswertung wurde nicht fertig; das liegt an uns. | Sende den Check-in noch einmal.
  worker_error worker_lost not_run: Dieser Teil konnte nicht ausgewertet werden; das liegt an uns. | Sende den Check-in noch einmal; neu aufnehmen musst du nichts.
  media_missing: Eine Datei ging verloren, bevor sie ausgewertet werden konnte. | Lade sie noch einmal hoch und sende den Check-in erneut.
  media_changed: Eine Datei wurde ersetzt, nachdem der Check-in gesendet war. | Sende den Check-in noch einmal und ersetze nichts, bis das Ergebnis da ist.
  transcription_unavailable: Deine Worte konnten nicht in Text umgewandelt werden. | Du musst nichts tun: Ein Check-in geht auch ohne sie.
  transcription_refused: Deine Worte konnten nicht in Text umgewandelt werden; das liegt an uns. | Sende den Check-in später noch einmal.
  transcription_rejected: Die Aufnahme konnte nicht in Text umgewandelt werden. | Nimm an einem ruhigen Ort noch einmal auf.
  transcription_too_large: Die Aufnahme ist zu groß, um in Text umgewandelt zu werden. | Nimm kürzer oder in geringerer Qualität auf.
  not_provided: Zu diesem Teil kam nichts an. | Ergänze ihn, wenn du magst: Das Ergebnis wird dadurch sicherer.
  no_consent consent_required: Du hast der Auswertung dieses Teils nicht zugestimmt. | Stimme in den Einstellungen zu, wenn er zählen soll. Ein Check-in geht auch ohne ihn.
  low_quality no_features: In diesem Teil ließ sich zu wenig messen. | Ein ruhiger, heller Ort hilft.
  silent: Auf der Aufnahme ist nichts zu hören. | Prüfe, ob das Mikrofon eingeschaltet, erlaubt und nicht verdeckt ist, und nimm noch einmal auf.
  too_little_speech: Auf der Aufnahme wird zu wenig gesprochen. | Sprich eine halbe Minute oder länger.
  too_noisy: Auf der Aufnahme ist zu viel Lärm. | Suche einen ruhigeren Ort oder halte das Telefon näher, und nimm noch einmal auf.
  clipped: Die Aufnahme ist so laut, dass sie verzerrt ist. | Halte das Telefon etwas weiter weg und nimm noch einmal auf.
  slices_missing: Ein Teil der Aufnahme konnte nicht ausgewertet werden. | Sende den Check-in noch einmal; hilft das nicht, nimm neu auf.
  second_speaker: Auf der Aufnahme ist noch jemand zu hören. | Nimm dort auf, wo nur du sprichst.
  reverberant: Die Aufnahme hallt stark. | Halte das Telefon näher oder suche einen Raum mit Vorhängen oder Teppich.
  gain_controlled: Das Telefon hat die Lautstärke der Aufnahme verändert. | Halte es nah und nimm an einem ruhigen Ort auf.
  pauses_cleaned: Das Telefon hat die Geräusche zwischen deinen Worten entfernt. | Nimm an einem ruhigen Ort auf, möglichst ohne Geräuschunterdrückung.
  muffled: Deine Stimme klingt gedämpft. | Achte darauf, dass das Mikrofon frei ist.
  summary_inconsistent: Was die App beobachtet hat, passt nicht zusammen. | Versuche es noch einmal; passiert es wieder, aktualisiere die App.
  summary_low_quality: Die Bilder sind von geringer Qualität. | Suche einen helleren Ort und halte das Telefon ruhig.
  no_face: Auf den Bildern ist kein Gesicht zu sehen. | Halte die Kamera auf Augenhöhe, sodass dein ganzes Gesicht zu sehen ist, und nimm sie neu auf.
  multiple_faces: Auf den Bildern ist mehr als ein Gesicht zu sehen. | Nimm sie neu auf, mit dir allein im Bild.
  face_too_small: Dein Gesicht ist auf den Bildern zu klein. | Halte die Kamera näher.
  too_dark: Die Bilder sind zu dunkel. | Wende dich einem Fenster oder einer Lampe zu.
  blurred: Die Bilder sind unscharf. | Wische die Linse ab und halte das Telefon ruhig.
  too_few_distinct_images: Dasselbe Bild wurde mehrmals gesendet. | Nimm Bilder in verschiedenen Momenten auf.
  turned_away: Dein Gesicht ist auf den Bildern abgewandt. | Schau zur Kamera.
  missing: Einige Bilder wurden nicht gefunden. | Lade sie noch einmal hoch und sende den Check-in erneut.
  empty: Es sind keine Worte da, die ausgewertet werden könnten. | Sprich oder schreibe ein paar Sätze.
  too_short: Es sind zu wenige Worte, um sie auszuwerten. | Sprich oder schreibe ein paar Sätze mehr.
  not_english: Deine Worte sind nicht auf Englisch; nur das kann bisher ausgewertet werden. | Stimme und Gesicht zählen in jeder Sprache.
  partly_not_english: Manche deiner Worte sind nicht auf Englisch; nur das kann bisher ausgewertet werden. | Stimme und Gesicht zählen in jeder Sprache.
  no_measured_speech: Auf der Aufnahme ist keine Sprache zu finden. | Prüfe, ob das Mikrofon eingeschaltet ist, und sprich eine halbe Minute oder länger.
  too_many_words: Der Text zur Aufnahme hat mehr Worte, als sie enthalten kann. | Nimm an einem ruhigen Ort noch einmal auf.
  repeated_phrase: Der Text zur Aufnahme wiederholt einen einzigen Satz. | Nimm an einem ruhigen Ort noch einmal auf.
  speech_not_measured: Die Aufnahme konnte nicht ausgewertet werden; das liegt an uns. | Sende den Check-in noch einmal.
  stated_in_words: Deine Stimmung wurde deinen Worten entnommen. | Gib sie als Zahl ein, um sie genauer anzugeben.
  audio_empty: Die Aufnahme ist eine leere Datei. | Nimm noch einmal auf.
  audio_unreadable: Die Aufnahme lässt sich nicht lesen. | Nimm noch einmal auf; passiert es wieder, aktualisiere die App.
  audio_truncated: Die Aufnahme ist abgeschnitten. | Lade sie noch einmal hoch oder nimm neu auf.
  audio_unsupported: Das Format der Aufnahme wird nicht unterstützt. | Aktualisiere die App und nimm noch einmal auf.
  audio_too_long: Die Aufnahme ist zu lang. | Bleibe unter 20 Minuten und 50 MB.
  audio_too_short: Die Aufnahme ist zu kurz. | Sprich eine halbe Minute oder länger.
  image_empty: Ein Bild ist eine leere Datei. | Nimm es noch einmal auf.
  image_unreadable: Ein Bild lässt sich nicht lesen. | Nimm es noch einmal auf; passiert es wieder, aktualisiere die App.
  image_truncated: Ein Bild ist abgeschnitten. | Lade es noch einmal hoch oder nimm es neu auf.
  image_unsupported: Das Format eines Bildes wird nicht unterstützt. | Nimm es als JPEG noch einmal auf.
  image_too_small: Ein Bild ist zu klein. | Nimm es in höherer Auflösung noch einmal auf.
  image_too_large: Ein Bild ist zu groß. | Nimm es in geringerer Auflösung noch einmal auf.
  nothing_uploaded: Bisher ist nichts angekommen. | Sende eine Aufnahme, Bilder oder ein paar Sätze.
  image_count: Ein Check-in hat 8 bis 12 Bilder oder keines. | Nimm die fehlenden auf oder mache ohne Bilder weiter.
  check_in_expired: Dieser Check-in ist abgelaufen. | Beginne einen neuen.
  too_many_submissions: Dieser Check-in wurde schon dreimal gesendet. | Beginne einen neuen.
  rate_limited: Das war viel in kurzer Zeit. | Warte eine Weile und versuche es dann noch einmal.
$$, '^\s*([\w ]+): (.+?) \| (.+)$', 'gn') as w, regexp_split_to_table(w[1], ' ') as code;

insert into public.failure_reasons (language, code, title, advice)
select 'es', code, w[2], w[3]
from regexp_matches($$
  crisis: No hemos podido evaluar este registro, y lo que has dicho importa. | Habla con alguien ahora, por favor: los contactos de abajo están para ayudarte.
  nothing_to_score: No se ha podido analizar nada de lo enviado. | Vuelve a grabar en un lugar tranquilo y bien iluminado y envía el registro otra vez.
  analysis_failed: El análisis no se ha podido terminar por un fallo nuestro. | Envía el registro otra vez.
  worker_error worker_lost not_run: Esta parte no se ha podido analizar por un fallo nuestro. | Envía el registro otra vez; no hace falta que vuelvas a grabar.
  media_missing: Un archivo se perdió antes de ser analizado. | Vuelve a subirlo y envía el registro otra vez.
  media_changed: Se sustituyó un archivo después de enviar el registro. | Envía el registro otra vez y no sustituyas nada hasta tener el resultado.
  transcription_unavailable: No se han podido transcribir tus palabras. | No tienes que hacer nada: un registro funciona sin ellas.
  transcription_refused: No se han podido transcribir tus palabras por un fallo nuestro. | Envía el registro otra vez más tarde.
  transcription_rejected: No se ha podido transcribir la grabación. | Vuelve a grabar en un lugar tranquilo.
  transcription_too_large: La grabación es demasiado grande para transcribirla. | Grábala más corta o con menos calidad.
  not_provided: No se ha enviado nada para esta parte. | Añádela si quieres: el resultado será más seguro.
  no_consent consent_required: No has aceptado el análisis de esta parte. | Acéptalo en los ajustes si quieres que cuente. Un registro funciona sin ella.
  low_quality no_features: En esta parte se ha podido medir muy poco. | Ayuda estar en un lugar tranquilo y bien iluminado.
  silent: No se oye nada en la grabación. | Comprueba que el micrófono esté encendido, permitido y sin tapar, y vuelve a grabar.
  too_little_speech: Se habla muy poco en la grabación. | Habla durante medio minuto o más.
  too_noisy: Hay demasiado ruido en la grabación. | Busca un lugar más tranquilo o acerca el teléfono, y vuelve a grabar.
  clipped: La grabación está tan alta que se distorsiona. | Aleja un poco el teléfono y vuelve a grabar.
  slices_missing: No se ha podido analizar una parte de la grabación. | Envía el registro otra vez; si no funciona, vuelve a grabar.
  second_speaker: Se oye a otra persona en la grabación. | Graba donde solo hables tú.
  reverberant: Hay mucho eco en la grabación. | Acerca el teléfono o busca una habitación con cortinas o alfombras.
  gain_controlled: El teléfono ha cambiado el volumen de la grabación. | Acércalo y graba en un lugar tranquilo.
  pauses_cleaned: El teléfono ha eliminado el sonido entre tus palabras. | Graba en un lugar tranquilo, si puedes con la supresión de ruido desactivada.
  muffled: Tu voz suena apagada. | No tapes el micrófono.
  summary_inconsistent: Lo que ha observado la aplicación no encaja. | Inténtalo otra vez; si vuelve a ocurrir, actualiza la aplicación.
  summary_low_quality: Las fotos son de baja calidad. | Busca un lugar con más luz y no muevas el teléfono.
  no_face: No se ve ninguna cara en las fotos. | Pon la cámara a la altura de los ojos, con toda la cara a la vista, y vuelve a hacerlas.
  multiple_faces: Se ve más de una cara en las fotos. | Vuelve a hacerlas de forma que solo salgas tú.
  face_too_small: Tu cara se ve demasiado pequeña en las fotos. | Acerca la cámara.
  too_dark: Las fotos son demasiado oscuras. | Ponte de cara a una ventana o a una lámpara.
  blurred: Las fotos están borrosas. | Limpia la lente y no muevas el teléfono.
  too_few_distinct_images: La misma imagen se envió más de una vez. | Toma las fotos en momentos distintos.
  turned_away: Tu cara está girada en las fotos. | Mira hacia la cámara.
  missing: No se han encontrado algunas fotos. | Vuelve a subirlas y envía el registro otra vez.
  empty: No hay palabras que analizar. | Di o escribe unas frases.
  too_short: Hay muy pocas palabras para analizarlas. | Di o escribe unas frases más.
  not_english: Tus palabras no están en inglés, lo único que por ahora se puede analizar. | La voz y la cara cuentan en cualquier idioma.
  partly_not_english: Algunas de tus palabras no están en inglés, lo único que por ahora se puede analizar. | La voz y la cara cuentan en cualquier idioma.
  no_measured_speech: No se encontró voz en la grabación. | Comprueba que el micrófono está encendido y habla medio minuto o más.
  too_many_words: El texto de la grabación tiene más palabras de las que caben en ella. | Graba de nuevo en un lugar tranquilo.
  repeated_phrase: El texto de la grabación repite una sola frase. | Graba de nuevo en un lugar tranquilo.
  speech_not_measured: No se pudo analizar la grabación; es culpa nuestra. | Envía el registro otra vez.
  stated_in_words: Tu estado de ánimo se ha tomado de tus palabras. | Indícalo con un número para decirlo con más exactitud.
  audio_empty: La grabación es un archivo vacío. | Vuelve a grabar.
  audio_unreadable: La grabación no se puede leer. | Vuelve a grabar; si vuelve a ocurrir, actualiza la aplicación.
  audio_truncated: La grabación está cortada. | Vuelve a subirla o a grabar.
  audio_unsupported: El formato de la grabación no es compatible. | Actualiza la aplicación y vuelve a grabar.
  audio_too_long: La grabación es demasiado larga. | No pases de 20 minutos ni de 50 MB.
  audio_too_short: La grabación es demasiado corta. | Habla durante medio minuto o más.
  image_empty: Una foto es un archivo vacío. | Vuelve a hacerla.
  image_unreadable: Una foto no se puede leer. | Vuelve a hacerla; si vuelve a ocurrir, actualiza la aplicación.
  image_truncated: Una foto está cortada. | Vuelve a subirla o a hacerla.
  image_unsupported: El formato de una foto no es compatible. | Vuelve a hacerla en JPEG.
  image_too_small: Una foto es demasiado pequeña. | Vuelve a hacerla con más resolución.
  image_too_large: Una foto es demasiado grande. | Vuelve a hacerla con menos resolución.
  nothing_uploaded: Todavía no ha llegado nada. | Envía una grabación, fotos o unas frases.
  image_count: Un registro tiene de 8 a 12 fotos, o ninguna. | Haz las que faltan o continúa sin fotos.
  check_in_expired: Este registro ha caducado. | Empieza uno nuevo.
  too_many_submissions: Este registro ya se ha enviado tres veces. | Empieza uno nuevo.
  rate_limited: Han sido muchos intentos en poco tiempo. | Espera un rato y vuelve a intentarlo.
$$, '^\s*([\w ]+): (.+?) \| (.+)$', 'gn') as w, regexp_split_to_table(w[1], ' ') as code;

insert into public.failure_reasons (language, code, title, advice)
select 'fr', code, w[2], w[3]
from regexp_matches($$
  crisis: Nous n'avons pas pu évaluer ce bilan, et ce que vous avez dit compte. | Parlez à quelqu'un maintenant, s'il vous plaît : les contacts ci-dessous sont là pour vous.
  nothing_to_score: Rien de ce qui a été envoyé n'a pu être analysé. | Enregistrez à nouveau dans un endroit calme et bien éclairé, puis renvoyez le bilan.
  analysis_failed: L'analyse n'a pas pu se terminer, par notre faute. | Renvoyez le bilan.
  worker_error worker_lost not_run: Cette partie n'a pas pu être analysée, par notre faute. | Renvoyez le bilan ; inutile d'enregistrer à nouveau.
  media_missing: Un fichier a été perdu avant d'être analysé. | Renvoyez ce fichier, puis le bilan.
  media_changed: Un fichier a été remplacé après l'envoi du bilan. | Renvoyez le bilan et ne remplacez rien avant d'avoir le résultat.
  transcription_unavailable: Vos paroles n'ont pas pu être transcrites. | Vous n'avez rien à faire : un bilan se passe d'elles.
  transcription_refused: Vos paroles n'ont pas pu être transcrites, par notre faute. | Renvoyez le bilan plus tard.
  transcription_rejected: L'enregistrement n'a pas pu être transcrit. | Enregistrez à nouveau dans un endroit calme.
  transcription_too_large: L'enregistrement est trop volumineux pour être transcrit. | Faites plus court, ou enregistrez en qualité réduite.
  not_provided: Rien n'a été envoyé pour cette partie. | Ajoutez-la si vous voulez : le résultat sera plus sûr.
  no_consent consent_required: Vous n'avez pas accepté l'analyse de cette partie. | Acceptez-la dans les réglages si vous voulez qu'elle compte. Un bilan s'en passe.
  low_quality no_features: Trop peu a pu être mesuré dans cette partie. | Un endroit calme et bien éclairé aide.
  silent: On n'entend rien dans l'enregistrement. | Vérifiez que le micro est activé, autorisé et dégagé, puis enregistrez à nouveau.
  too_little_speech: Il y a trop peu de paroles dans l'enregistrement. | Parlez pendant une demi-minute ou plus.
  too_noisy: L'enregistrement est trop bruyant. | Trouvez un endroit plus calme ou rapprochez le téléphone, puis enregistrez à nouveau.
  clipped: L'enregistrement est si fort qu'il est déformé. | Éloignez un peu le téléphone, puis enregistrez à nouveau.
  slices_missing: Une partie de l'enregistrement n'a pas pu être analysée. | Renvoyez le bilan ; si cela ne suffit pas, enregistrez à nouveau.
  second_speaker: On entend quelqu'un d'autre dans l'enregistrement. | Enregistrez là où vous êtes la seule personne à parler.
  reverberant: Il y a beaucoup d'écho dans l'enregistrement. | Rapprochez le téléphone, ou trouvez une pièce avec des rideaux ou un tapis.
  gain_controlled: Le téléphone a modifié le volume de l'enregistrement. | Tenez-le près de vous et enregistrez dans un endroit calme.
  pauses_cleaned: Le téléphone a supprimé le son entre vos paroles. | Enregistrez dans un endroit calme, si possible sans réduction de bruit.
  muffled: Votre voix semble étouffée. | Laissez le micro dégagé.
  summary_inconsistent: Ce que l'application a observé n'est pas cohérent. | Réessayez ; si cela se reproduit, mettez l'application à jour.
  summary_low_quality: Les photos sont de mauvaise qualité. | Trouvez un endroit plus lumineux et gardez le téléphone immobile.
  no_face: On ne voit aucun visage sur les photos. | Tenez l'appareil à hauteur des yeux, tout le visage dans le cadre, puis reprenez-les.
  multiple_faces: On voit plus d'un visage sur les photos. | Reprenez-les avec votre seul visage dans le cadre.
  face_too_small: Votre visage est trop petit sur les photos. | Rapprochez l'appareil.
  too_dark: Les photos sont trop sombres. | Tournez-vous vers une fenêtre ou une lampe.
  blurred: Les photos sont floues. | Essuyez l'objectif et gardez le téléphone immobile.
  too_few_distinct_images: La même photo a été envoyée plusieurs fois. | Prenez des photos à des moments différents.
  turned_away: Votre visage est tourné sur les photos. | Regardez vers l'appareil.
  missing: Certaines photos sont introuvables. | Renvoyez-les, puis renvoyez le bilan.
  empty: Il n'y a pas de mots à analyser. | Dites ou écrivez quelques phrases.
  too_short: Il y a trop peu de mots à analyser. | Dites ou écrivez quelques phrases de plus.
  not_english: Vos mots ne sont pas en anglais, seule langue analysée pour l'instant. | La voix et le visage comptent dans toutes les langues.
  partly_not_english: Certains de vos mots ne sont pas en anglais, seule langue analysée pour l'instant. | La voix et le visage comptent dans toutes les langues.
  no_measured_speech: Aucune parole n’a été trouvée dans l’enregistrement. | Vérifiez que le micro est activé et parlez une demi-minute ou plus.
  too_many_words: Le texte de l’enregistrement compte plus de mots qu’il ne peut en contenir. | Enregistrez à nouveau dans un endroit calme.
  repeated_phrase: Le texte de l’enregistrement répète une seule phrase. | Enregistrez à nouveau dans un endroit calme.
  speech_not_measured: L’enregistrement n’a pas pu être analysé ; c’est de notre faute. | Envoyez le bilan encore une fois.
  stated_in_words: Votre humeur a été déduite de vos mots. | Indiquez-la par un nombre pour être plus précis.
  audio_empty: L'enregistrement est un fichier vide. | Enregistrez à nouveau.
  audio_unreadable: L'enregistrement est illisible. | Enregistrez à nouveau ; si cela se reproduit, mettez l'application à jour.
  audio_truncated: L'enregistrement est coupé. | Renvoyez-le, ou enregistrez à nouveau.
  audio_unsupported: Le format de l'enregistrement n'est pas pris en charge. | Mettez l'application à jour et enregistrez à nouveau.
  audio_too_long: L'enregistrement est trop long. | Restez sous 20 minutes et 50 Mo.
  audio_too_short: L'enregistrement est trop court. | Parlez pendant une demi-minute ou plus.
  image_empty: Une photo est un fichier vide. | Reprenez-la.
  image_unreadable: Une photo est illisible. | Reprenez-la ; si cela se reproduit, mettez l'application à jour.
  image_truncated: Une photo est coupée. | Renvoyez-la, ou reprenez-la.
  image_unsupported: Le format d'une photo n'est pas pris en charge. | Reprenez-la en JPEG.
  image_too_small: Une photo est trop petite. | Reprenez-la avec une résolution plus élevée.
  image_too_large: Une photo est trop grande. | Reprenez-la avec une résolution plus basse.
  nothing_uploaded: Rien n'est encore arrivé. | Envoyez un enregistrement, des photos ou quelques phrases.
  image_count: Un bilan comporte de 8 à 12 photos, ou aucune. | Prenez celles qui manquent, ou continuez sans photos.
  check_in_expired: Ce bilan a expiré. | Commencez-en un nouveau.
  too_many_submissions: Ce bilan a déjà été envoyé trois fois. | Commencez-en un nouveau.
  rate_limited: Cela fait beaucoup en peu de temps. | Attendez un moment, puis réessayez.
$$, '^\s*([\w ]+): (.+?) \| (.+)$', 'gn') as w, regexp_split_to_table(w[1], ' ') as code;

insert into public.failure_reasons (language, code, title, advice)
select 'ar', code, w[2], w[3]
from regexp_matches($$
  crisis: لم نتمكن من تقييم هذا التسجيل، وما قلته مهم. | من فضلك تحدث إلى شخص ما الآن: جهات الاتصال أدناه موجودة من أجلك.
  nothing_to_score: تعذر تحليل أي شيء مما أُرسل. | أعد التسجيل في مكان هادئ وجيد الإضاءة ثم أرسل مرة أخرى.
  analysis_failed: لم يكتمل التحليل بسبب خطأ من جانبنا. | أرسل مرة أخرى.
  worker_error worker_lost not_run: تعذر تحليل هذا الجزء بسبب خطأ من جانبنا. | أرسل مرة أخرى؛ لا حاجة إلى إعادة التسجيل.
  media_missing: فُقد أحد الملفات قبل تحليله. | أعد رفعه ثم أرسل مرة أخرى.
  media_changed: استُبدل أحد الملفات بعد الإرسال. | أرسل مرة أخرى ولا تستبدل شيئًا حتى تظهر النتيجة.
  transcription_unavailable: تعذر تحويل كلامك إلى نص. | لا حاجة إلى فعل شيء: يمكن الاستغناء عنه.
  transcription_refused: تعذر تحويل كلامك إلى نص بسبب خطأ من جانبنا. | أرسل مرة أخرى لاحقًا.
  transcription_rejected: تعذر تحويل التسجيل إلى نص. | أعد التسجيل في مكان هادئ.
  transcription_too_large: التسجيل أكبر من أن يُحوَّل إلى نص. | اجعله أقصر أو سجّل بجودة أقل.
  not_provided: لم يُرسل شيء لهذا الجزء. | أضفه إن أردت: تصبح النتيجة أكثر دقة.
  no_consent consent_required: لم توافق على تحليل هذا الجزء. | وافق عليه في الإعدادات إن أردت احتسابه. ويمكن الاستغناء عنه.
  low_quality no_features: ما أمكن قياسه في هذا الجزء قليل جدًا. | يساعد المكان الهادئ وجيد الإضاءة.
  silent: لا يُسمع شيء في التسجيل. | تأكد من أن الميكروفون يعمل ومسموح به وغير مغطى، ثم أعد التسجيل.
  too_little_speech: الكلام في التسجيل قليل جدًا. | تحدث نصف دقيقة أو أكثر.
  too_noisy: الضوضاء في التسجيل كثيرة جدًا. | ابحث عن مكان أهدأ أو قرّب الهاتف، ثم أعد التسجيل.
  clipped: الصوت في التسجيل مرتفع إلى حد التشويش. | أبعد الهاتف قليلًا ثم أعد التسجيل.
  slices_missing: تعذر تحليل جزء من التسجيل. | أرسل مرة أخرى؛ وإن لم ينجح ذلك فأعد التسجيل.
  second_speaker: يُسمع شخص آخر في التسجيل. | سجّل حيث لا يتحدث أحد غيرك.
  reverberant: في التسجيل صدى كثير. | قرّب الهاتف أو ابحث عن غرفة فيها ستائر أو سجاد.
  gain_controlled: غيّر الهاتف مستوى صوت التسجيل. | أبقِه قريبًا وسجّل في مكان هادئ.
  pauses_cleaned: حذف الهاتف الصوت بين كلماتك. | سجّل في مكان هادئ مع إيقاف خفض الضوضاء إن أمكن.
  muffled: صوتك مكتوم. | لا تغطِّ الميكروفون.
  summary_inconsistent: ما لاحظه التطبيق غير متسق. | حاول مرة أخرى؛ وإن تكرر ذلك فحدّث التطبيق.
  summary_low_quality: جودة الصور منخفضة. | ابحث عن مكان أكثر إضاءة وثبّت الهاتف.
  no_face: لا يظهر وجه في الصور. | ضع الكاميرا على مستوى العينين بحيث يظهر الوجه كاملًا، ثم أعد التقاط الصور.
  multiple_faces: يظهر أكثر من وجه في الصور. | أعد التقاطها بحيث تظهر وحدك.
  face_too_small: يبدو وجهك صغيرًا جدًا في الصور. | قرّب الكاميرا.
  too_dark: الصور مظلمة جدًا. | اتجه نحو نافذة أو مصباح.
  blurred: الصور غير واضحة. | امسح العدسة وثبّت الهاتف.
  too_few_distinct_images: أُرسلت الصورة نفسها أكثر من مرة. | التقط الصور في لحظات مختلفة.
  turned_away: وجهك ملتفت في الصور. | انظر نحو الكاميرا.
  missing: لم يُعثر على بعض الصور. | أعد رفعها ثم أرسل مرة أخرى.
  empty: لا توجد كلمات لتحليلها. | قل أو اكتب بضع جمل.
  too_short: الكلمات أقل من أن تُحلَّل. | قل أو اكتب بضع جمل إضافية.
  not_english: كلماتك ليست بالإنجليزية، وهي اللغة الوحيدة التي يمكن تحليلها حتى الآن. | الصوت والوجه يُحتسبان بأي لغة.
  partly_not_english: بعض كلماتك ليست بالإنجليزية، وهي اللغة الوحيدة التي يمكن تحليلها حتى الآن. | الصوت والوجه يُحتسبان بأي لغة.
  no_measured_speech: لم نجد كلامًا في التسجيل. | تأكد من أن الميكروفون يعمل، وتحدث نصف دقيقة أو أكثر.
  too_many_words: في نص التسجيل كلمات أكثر مما يتسع له. | سجّل مرة أخرى في مكان هادئ.
  repeated_phrase: يكرر نص التسجيل عبارة واحدة. | سجّل مرة أخرى في مكان هادئ.
  speech_not_measured: تعذر تحليل التسجيل، وهذا خطأ منا. | أرسله مرة أخرى.
  stated_in_words: أُخذ مزاجك من كلماتك. | أدخله رقمًا لتحديده بدقة أكبر.
  audio_empty: التسجيل ملف فارغ. | أعد التسجيل.
  audio_unreadable: تعذرت قراءة التسجيل. | أعد التسجيل؛ وإن تكرر ذلك فحدّث التطبيق.
  audio_truncated: التسجيل مقطوع. | أعد رفعه أو أعد التسجيل.
  audio_unsupported: صيغة التسجيل غير مدعومة. | حدّث التطبيق ثم أعد التسجيل.
  audio_too_long: التسجيل طويل جدًا. | اجعله أقل من 20 دقيقة و50 ميغابايت.
  audio_too_short: التسجيل قصير جدًا. | تحدث نصف دقيقة أو أكثر.
  image_empty: إحدى الصور ملف فارغ. | أعد التقاطها.
  image_unreadable: تعذرت قراءة إحدى الصور. | أعد التقاطها؛ وإن تكرر ذلك فحدّث التطبيق.
  image_truncated: إحدى الصور مقطوعة. | أعد رفعها أو أعد التقاطها.
  image_unsupported: صيغة إحدى الصور غير مدعومة. | أعد التقاطها بصيغة JPEG.
  image_too_small: إحدى الصور صغيرة جدًا. | أعد التقاطها بدقة أعلى.
  image_too_large: إحدى الصور كبيرة جدًا. | أعد التقاطها بدقة أقل.
  nothing_uploaded: لم يصل شيء بعد. | أرسل تسجيلًا أو صورًا أو بضع جمل.
  image_count: العدد المطلوب من 8 إلى 12 صورة، أو لا شيء. | التقط الصور الناقصة أو تابع من دون صور.
  check_in_expired: انتهت صلاحية هذا التسجيل. | ابدأ تسجيلًا جديدًا.
  too_many_submissions: أُرسل هذا التسجيل ثلاث مرات بالفعل. | ابدأ تسجيلًا جديدًا.
  rate_limited: محاولات كثيرة في وقت قصير. | انتظر قليلًا ثم حاول مرة أخرى.
$$, '^\s*([\w ]+): (.+?) \| (.+)$', 'gn') as w, regexp_split_to_table(w[1], ' ') as code;

select private.declare_data('public.failure_reasons', '{code, language, title, advice}', 'Words to students, which name nobody.');
select private.declare_audited('public.failure_reasons', 'code');

create function private.words_of_reasons(codes text[], student uuid) returns table (code text, title text, advice text)
language sql stable security definer set search_path = '' as $$
  select w.code, w.title, w.advice
  from (select private.language_of(student) as tag) as wanted
  join public.failure_reasons w on w.language in (wanted.tag, split_part(wanted.tag, '-', 1), 'en')
  where w.code = any (codes)
  order by
    array_position(codes, w.code),
    w.language = wanted.tag desc, w.language <> 'en' desc
  limit 1
$$;
comment on function private.words_of_reasons is 'The words in a student''s language for the first of these codes that has any: in the language with its region, without it, or in English. Called where a check-in that failed is shown.';

create function private.reasons_in_words(reasons jsonb, student uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    jsonb_agg(r.reason || jsonb_build_object('title', w.title, 'advice', w.advice) order by r.place),
    '[]'
  )
  from jsonb_array_elements(reasons) with ordinality as r (reason, place)
  left join lateral private.words_of_reasons(array[r.reason ->> 'reason', 'low_quality'], student) w on true
$$;
comment on function private.reasons_in_words is 'Adds title and advice in a student''s language to each of an array of {modality, reason}. Called where a check-in that failed is shown, and of a session of which nothing can be scored.';
