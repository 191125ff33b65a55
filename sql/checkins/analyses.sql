create function private.numbers_are_finite(measured jsonb) returns boolean
language sql immutable set search_path = '' as $$
  -- JSON has no other numbers than finite ones: those are strings.
  select not jsonb_path_exists(measured, 'strict $.* ? (@ == "NaN" || @ == "Infinity" || @ == "-Infinity")')
$$;
comment on function private.numbers_are_finite is
  'Whether every number of a row, given as an object of its columns, is finite. Called by the checks of the analyses.';

create table checkin.audio_analysis (
  check_in_id uuid not null,
  user_id uuid not null,
  f0_mean_hz double precision,
  f0_sd_semitones double precision,
  f0_range_semitones double precision,
  f0_slope_semitones_per_s double precision,
  intensity_mean_db double precision,
  intensity_sd_db double precision,
  intensity_range_db double precision,
  voiced_fraction double precision,
  speech_rate_syllables_per_s double precision,
  articulation_rate_syllables_per_s double precision,
  phonation_ratio double precision,
  pause_rate_per_min double precision,
  pause_mean_s double precision,
  pause_sd_s double precision,
  long_pause_rate_per_min double precision,
  speech_run_mean_s double precision,
  jitter_local double precision,
  shimmer_local double precision,
  hnr_db double precision,
  cpps_db double precision,
  alpha_ratio_db double precision,
  hammarberg_index_db double precision,
  voice_break_fraction double precision,
  quality double precision not null,
  quality_reason text,
  replicates jsonb,
  snr_db double precision,
  clipping_fraction double precision,
  speech_s double precision,
  duration_s double precision,
  created_at timestamptz not null default now(),
  constraint audio_analysis_pkey primary key (check_in_id),
  constraint audio_analysis_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint audio_analysis_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint audio_analysis_quality_range check (quality between 0 and 1),
  constraint audio_analysis_finite check (private.numbers_are_finite(to_jsonb(audio_analysis)))
);
select private.describe('checkin.audio_analysis', 'Features of the recorded speech, with the quality of the recording.', $$
  check_in_id: The check-in.
  user_id: The student who owns it.
  f0_mean_hz: Mean fundamental frequency of voiced frames, Hz.
  f0_sd_semitones: Standard deviation of the fundamental frequency, semitones.
  f0_range_semitones: 5th to 95th percentile of the fundamental frequency, semitones.
  f0_slope_semitones_per_s: Mean absolute slope of the fundamental frequency, semitones per second.
  intensity_mean_db: Mean intensity, dB as Praat reports it for full scale 1.
  intensity_sd_db: Standard deviation of the intensity, dB.
  intensity_range_db: 5th to 95th percentile of the intensity, dB.
  voiced_fraction: Fraction of frames that are voiced, 0 to 1.
  speech_rate_syllables_per_s: Syllable nuclei per second, from the first speech to the last.
  articulation_rate_syllables_per_s: Syllable nuclei per second of speech.
  phonation_ratio: Fraction of the time from the first speech to the last that is speech, 0 to 1.
  pause_rate_per_min: Pauses per minute.
  pause_mean_s: Mean pause, seconds.
  pause_sd_s: Standard deviation of pauses, seconds.
  long_pause_rate_per_min: Pauses of 1 s or more, per minute.
  speech_run_mean_s: Mean length of speech between pauses, seconds.
  jitter_local: Mean absolute difference of neighbouring periods over the mean period, ratio.
  shimmer_local: Mean absolute difference of neighbouring amplitudes over the mean amplitude, ratio.
  hnr_db: Harmonics-to-noise ratio by cross-correlation, dB.
  cpps_db: Smoothed cepstral peak prominence, dB.
  alpha_ratio_db: Energy of 50 to 1000 Hz over 1 to 5 kHz, dB (eGeMAPS).
  hammarberg_index_db: Strongest peak of 0 to 2 kHz over that of 2 to 5 kHz, dB (eGeMAPS).
  voice_break_fraction: Fraction of voiced segments lost to breaks, 0 to 1.
  quality: Reliability of the measures, 0 to 1.
  quality_reason: What lowers the quality most; null when nothing does.
  replicates: Features without one window of the speech each, as {feature: [values]}: from them comes the standard error of the score. Null before version wb-1.2.0. Example: {"hesitation_rate": [3.1, 2.8, null]}
  snr_db: Signal-to-noise ratio, dB.
  clipping_fraction: Fraction of samples at full scale, 0 to 1.
  speech_s: Speech found, seconds.
  duration_s: Length of the recording, seconds.
  created_at: When the analysis was stored.
$$);
alter table checkin.audio_analysis alter column user_id set statistics 0; -- see public.user_roles
create index audio_analysis_user_id_idx on checkin.audio_analysis (user_id);

select private.declare_data('checkin.audio_analysis',
   '{check_in_id, user_id, f0_mean_hz, f0_sd_semitones, f0_range_semitones, f0_slope_semitones_per_s, intensity_mean_db,
    intensity_sd_db, intensity_range_db, voiced_fraction, speech_rate_syllables_per_s, articulation_rate_syllables_per_s,
    phonation_ratio, pause_rate_per_min, pause_mean_s, pause_sd_s, long_pause_rate_per_min, speech_run_mean_s, jitter_local,
    shimmer_local, hnr_db, cpps_db, alpha_ratio_db, hammarberg_index_db, voice_break_fraction, quality, quality_reason,
    replicates, snr_db, clipping_fraction, speech_s, duration_s, created_at}',
  'Features of the voice, from which the score is made and explained.', 'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_audited('checkin.audio_analysis', 'check_in_id', 'by_hand');

create table checkin.visual_analysis (
  check_in_id uuid not null,
  user_id uuid not null,
  emotion_happy double precision,
  emotion_sad double precision,
  emotion_angry double precision,
  emotion_fear double precision,
  emotion_surprise double precision,
  emotion_disgust double precision,
  emotion_neutral double precision,
  emotion_stability double precision,
  smile_intensity double precision,
  mouth_openness double precision,
  eye_openness double precision,
  eye_closure_fraction double precision,
  brow_lowering double precision,
  expressivity double precision,
  gaze_on_camera_fraction double precision,
  gaze_down_fraction double precision,
  head_pitch_mean_deg double precision,
  head_yaw_sd_deg double precision,
  quality double precision not null,
  quality_reason text,
  replicates jsonb,
  images_total smallint,
  images_usable smallint,
  created_at timestamptz not null default now(),
  constraint visual_analysis_pkey primary key (check_in_id),
  constraint visual_analysis_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint visual_analysis_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint visual_analysis_quality_range check (quality between 0 and 1),
  constraint visual_analysis_finite check (private.numbers_are_finite(to_jsonb(visual_analysis)))
);
select private.describe('checkin.visual_analysis', 'Features of face and gaze over the images, with their quality.', $$
  check_in_id: The check-in.
  user_id: The student who owns it.
  emotion_happy: Mean probability of the class happy, 0 to 1; weak evidence.
  emotion_sad: Mean probability of the class sad, 0 to 1; weak evidence.
  emotion_angry: Mean probability of the class angry, 0 to 1; weak evidence.
  emotion_fear: Mean probability of the class fear, 0 to 1; weak evidence.
  emotion_surprise: Mean probability of the class surprise, 0 to 1; weak evidence.
  emotion_disgust: Mean probability of the class disgust, 0 to 1; weak evidence.
  emotion_neutral: Mean probability of the class neutral, 0 to 1; weak evidence.
  emotion_stability: Consistency of the classes across images, 0 to 1.
  smile_intensity: Smile from landmark geometry, 0 to 1.
  mouth_openness: Inner lip gap over mouth width, ratio.
  eye_openness: Eye aspect ratio, mean of both eyes.
  eye_closure_fraction: Fraction of images with closed eyes, 0 to 1.
  brow_lowering: Lowering of the brows over the eye span, ratio.
  expressivity: Spread of the expression measures across images.
  gaze_on_camera_fraction: Fraction of images looking at the camera, 0 to 1.
  gaze_down_fraction: Fraction of images looking down, 0 to 1.
  head_pitch_mean_deg: Mean head pitch, degrees; negative looks down.
  head_yaw_sd_deg: Standard deviation of the head yaw, degrees.
  quality: Reliability of the measures, 0 to 1.
  quality_reason: What lowers the quality most; null when nothing does.
  replicates: Features without one usable image each, as {feature: [values]}: from them comes the standard error of the score. Null before version wb-1.2.0. Example: {"smile_intensity": [0.22, 0.31, null]}
  images_total: Images submitted.
  images_usable: Images in which exactly one face could be measured.
  created_at: When the analysis was stored.
$$);
alter table checkin.visual_analysis alter column user_id set statistics 0; -- see public.user_roles
create index visual_analysis_user_id_idx on checkin.visual_analysis (user_id);

select private.declare_data('checkin.visual_analysis',
   '{check_in_id, user_id, emotion_happy, emotion_sad, emotion_angry, emotion_fear, emotion_surprise, emotion_disgust,
    emotion_neutral, emotion_stability, smile_intensity, mouth_openness, eye_openness, eye_closure_fraction, brow_lowering,
    expressivity, gaze_on_camera_fraction, gaze_down_fraction, head_pitch_mean_deg, head_yaw_sd_deg, quality, quality_reason,
    replicates, images_total, images_usable, created_at}', 'Features of the face, from which the score is made and explained.',
  'student', 'health', 't.user_id = $1', term => 'results');
select private.declare_audited('checkin.visual_analysis', 'check_in_id', 'by_hand');

create table checkin.text_analysis (
  check_in_id uuid not null,
  user_id uuid not null,
  sentiment_compound double precision,
  sentiment_positive double precision,
  sentiment_negative double precision,
  sentiment_variability double precision,
  emotion_joy double precision,
  emotion_sadness double precision,
  emotion_anger double precision,
  emotion_anxiety double precision,
  lexical_diversity_mattr double precision,
  mean_sentence_length_words double precision,
  hesitation_rate double precision,
  reading_grade double precision,
  coping_rate double precision,
  social_connection_rate double precision,
  future_focus_rate double precision,
  absolutist_rate double precision,
  quality double precision not null,
  quality_reason text,
  replicates jsonb,
  language text,
  words integer,
  themes text[] not null default '{}',
  keywords text[] not null default '{}',
  stated_mood double precision,
  crisis_level checkin.risk_level not null default 'none',
  crisis_rule text,
  transcript_source text not null default 'student',
  created_at timestamptz not null default now(),
  constraint text_analysis_pkey primary key (check_in_id),
  constraint text_analysis_check_in_id_fkey foreign key (check_in_id) references checkin.check_ins (id) on delete cascade,
  constraint text_analysis_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint text_analysis_quality_range check (quality between 0 and 1),
  constraint text_analysis_finite check (private.numbers_are_finite(to_jsonb(text_analysis)))
);
select private.describe('checkin.text_analysis', 'Features of the transcript, with its topics and the result of the crisis-language check.', $$
  check_in_id: The check-in.
  user_id: The student who owns it.
  sentiment_compound: Mean compound sentiment of sentences, -1 to 1.
  sentiment_positive: Fraction of positive sentiment, 0 to 1.
  sentiment_negative: Fraction of negative sentiment, 0 to 1.
  sentiment_variability: Standard deviation of the compound sentiment across sentences.
  emotion_joy: Words of joy per 100 words.
  emotion_sadness: Words of sadness per 100 words.
  emotion_anger: Words of anger per 100 words.
  emotion_anxiety: Words of anxiety per 100 words.
  lexical_diversity_mattr: Moving-average type-token ratio, 0 to 1.
  mean_sentence_length_words: Words per sentence.
  hesitation_rate: Fillers per 100 words.
  reading_grade: Reading grade of the transcript (Flesch-Kincaid), school years.
  coping_rate: Coping statements per 100 words.
  social_connection_rate: Words of social connection per 100 words.
  future_focus_rate: References to the future per 100 words.
  absolutist_rate: Absolutist words per 100 words.
  quality: Reliability of the measures, 0 to 1.
  quality_reason: What lowers the quality most; null when nothing does.
  replicates: Features without one window of the transcript each, as {feature: [values]}: from them comes the standard error of the score. Null before version wb-1.2.0. Example: {"sentiment_compound": [0.31, 0.28, null]}
  language: en, other or unknown; only English is scored.
  words: Words in the transcript.
  themes: What the student talked about; "low mood" where the student reports one in words.
  keywords: Key terms.
  stated_mood: Mood that the student stated as a number, 1 to 10.
  crisis_level: Risk level found by the crisis-language check.
  crisis_rule: Rule of the crisis-language check that matched; null if none.
  transcript_source: student if the app sent the transcript, transcribed if the service made it.
  created_at: When the analysis was stored.
$$);
alter table checkin.text_analysis alter column user_id set statistics 0; -- see public.user_roles
create index text_analysis_user_id_idx on checkin.text_analysis (user_id);

select private.declare_data('checkin.text_analysis',
   '{check_in_id, user_id, sentiment_compound, sentiment_positive, sentiment_negative, sentiment_variability, emotion_joy,
    emotion_sadness, emotion_anger, emotion_anxiety, lexical_diversity_mattr, mean_sentence_length_words, hesitation_rate,
    reading_grade, coping_rate, social_connection_rate, future_focus_rate, absolutist_rate, quality, quality_reason, replicates,
    language, words, themes, keywords, stated_mood, crisis_level, crisis_rule, transcript_source, created_at}',
  'Features of the transcript, from which the score is made and explained.', 'student', 'health', 't.user_id = $1',
  term => 'results');
select private.declare_audited('checkin.text_analysis', 'check_in_id', 'by_hand');
