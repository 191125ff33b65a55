# Computes, of one recording, the measures of speech that Praat has commands for, with the settings that the features'
# docstrings state; prints a line `name value` for each.
# part$: "all but CPPS"; "CPPS" (by far the dearest, so that its cost can be told apart); or "voiced frames", which prints
# the times of the frames that have a pitch, a line each.
form Measures of speech
  sentence file
  sentence part all but CPPS
endform

sound = Read from file: file$
if part$ = "CPPS"
  @speech
  selectObject: sound, speech.textgrid
  Extract intervals where: 1, "no", "is equal to", "sounding"
  speech = Concatenate
  cepstrogram = To PowerCepstrogram: 60, 0.002, 5000, 50
  cpps = Get CPPS: "no", 0.01, 0.001, 60, 330, 0.05, "parabolic", 0.001, 0, "Straight", "Robust"
  appendInfoLine: "cpps_db ", cpps
  exitScript()
endif

# Pitch
selectObject: sound
pitch = To Pitch (ac): 0.01, 75, 15, "no", 0.03, 0.45, 0.01, 0.35, 0.14, 500
if part$ = "voiced frames"
  frames = Get number of frames
  for frame to frames
    hertz = Get value in frame: frame, "Hertz"
    if hertz <> undefined
      time = Get time from frame number: frame
      appendInfoLine: time
    endif
  endfor
  exitScript()
endif
f0 = Get mean: 0, 0, "Hertz"
f0sd = Get standard deviation: 0, 0, "semitones"
low = Get quantile: 0, 0, 0.05, "Hertz"
high = Get quantile: 0, 0, 0.95, "Hertz"
slope = Get mean absolute slope: "Semitones"
appendInfoLine: "f0_mean_hz ", f0
appendInfoLine: "f0_sd_semitones ", f0sd
appendInfoLine: "f0_range_semitones ", 12 * log2 (high / low)
appendInfoLine: "f0_slope_semitones_per_s ", slope

@speech
loudness = speech.loudness
threshold = speech.threshold
textgrid = speech.textgrid
selectObject: textgrid
intervals = Get number of intervals: 1
runs = 0
for i to intervals
  label$ = Get label of interval: 1, i
  if label$ = "sounding"
    runs += 1
    runFrom [runs] = Get start time of interval: 1, i
    runTo [runs] = Get end time of interval: 1, i
  endif
endfor
phonation = 0
pauses = 0
longPauses = 0
paused = 0
squares = 0
for i to runs
  phonation += runTo [i] - runFrom [i]
  if i > 1
    pause = runFrom [i] - runTo [i - 1]
    pauses += 1
    paused += pause
    squares += pause ^ 2
    longPauses += if pause >= 1 then 1 else 0 fi
  endif
endfor
span = phonation + paused
pauseMean = if pauses > 0 then paused / pauses else 0 fi
pauseSd = if pauses > 1 then sqrt (max (0, squares - pauses * pauseMean ^ 2) / (pauses - 1)) else undefined fi
appendInfoLine: "pause_count ", pauses
appendInfoLine: "pause_time_s ", paused
appendInfoLine: "phonation_ratio ", phonation / span
appendInfoLine: "pause_rate_per_min ", 60 * pauses / span
appendInfoLine: "pause_mean_s ", pauseMean
appendInfoLine: "pause_sd_s ", pauseSd
appendInfoLine: "long_pause_rate_per_min ", 60 * longPauses / span
appendInfoLine: "speech_run_mean_s ", phonation / runs

# Syllable nuclei: loud peaks, 2 dB over the dip that follows, in a run of speech, voiced.
selectObject: loudness
matrix = Down to Matrix
contour = To Sound (slice): 1
extrema = To PointProcess (extrema): "Left", "yes", "no", "Sinc70"
extremes = Get number of points
peaks = 0
for i to extremes
  selectObject: extrema
  time = Get time from index: i
  selectObject: contour
  level = Get value at time: time, "Cubic"
  if level > threshold
    peaks += 1
    peakTime [peaks] = time
    peakLevel [peaks] = level
  endif
endfor
selectObject: sound
voicing = To Pitch (ac): 0.02, 30, 4, "no", 0.03, 0.25, 0.01, 0.35, 0.25, 450
syllables = 0
for i to peaks - 1
  selectObject: loudness
  dip = Get minimum: peakTime [i], peakTime [i + 1], "none"
  if abs (peakLevel [i] - dip) > 2
    selectObject: textgrid
    interval = Get interval at time: 1, peakTime [i]
    label$ = Get label of interval: 1, interval
    selectObject: voicing
    hertz = Get value at time: peakTime [i], "Hertz", "linear"
    if label$ = "sounding" and hertz <> undefined
      syllables += 1
    endif
  endif
endfor
appendInfoLine: "syllable_count ", syllables
appendInfoLine: "speech_rate_syllables_per_s ", syllables / span
appendInfoLine: "articulation_rate_syllables_per_s ", syllables / phonation

# Intensity; its spread during speech only.
selectObject: sound
intensity = To Intensity: 100, 0, "yes"
intensityMean = Get mean: 0, 0, "energy"
frames = Get number of frames
firstTime = Get time from frame number: 1
frameStep = Get time step
heard = 0
for i to runs
  runStart [i] = max (1, ceiling ((runFrom [i] - firstTime) / frameStep) + 1)
  runEnd [i] = min (frames, ceiling ((runTo [i] - firstTime) / frameStep))
  heard += runEnd [i] - runStart [i] + 1
endfor
spoken# = zero# (heard)
next = 0
for i to runs
  for frame from runStart [i] to runEnd [i]
    next += 1
    spoken# [next] = Get value in frame: frame
  endfor
endfor
sorted# = sort# (spoken#)
@quantile: 0.05
low = quantile.value
@quantile: 0.95
high = quantile.value
appendInfoLine: "intensity_mean_db ", intensityMean
appendInfoLine: "intensity_sd_db ", stdev (spoken#)
appendInfoLine: "intensity_range_db ", high - low

# Speech and pauses: de Jong and Wempe (2009), silence 25 dB under the 99th percentile of intensity; in noise 4 dB over the 10th, but
# at least 8 dB under the 99th.
procedure speech
  selectObject: sound
  .loudness = To Intensity: 50, 0, "yes"
  .loudest = Get maximum: 0, 0, "parabolic"
  .loud = Get quantile: 0, 0, 0.99
  .faint = Get quantile: 0, 0, 0.1
  .threshold = max (.loud - 25, min (.faint + 4, .loud - 8))
  .textgrid = To TextGrid (silences): .threshold - .loudest, 0.3, 0.1, "silent", "sounding"
endproc

procedure quantile: .fraction
  .place = .fraction * heard + 0.5
  .left = max (1, min (heard - 1, floor (.place)))
  .value = sorted# [.left] + (.place - .left) * (sorted# [.left + 1] - sorted# [.left])
endproc

# Voicing between the first and the last run of speech.
selectObject: pitch
frames = Get number of frames
firstTime = Get time from frame number: 1
frameStep = Get time step
startFrame = max (1, ceiling ((runFrom [1] - firstTime) / frameStep) + 1)
endFrame = min (frames, ceiling ((runTo [runs] - firstTime) / frameStep))
voiced = 0
for frame from startFrame to endFrame
  hertz = Get value in frame: frame, "Hertz"
  voiced += if hertz <> undefined then 1 else 0 fi
endfor
appendInfoLine: "voiced_fraction ", voiced / (endFrame - startFrame + 1)

# Voice quality
selectObject: sound, pitch
pulses = To PointProcess (cc)
jitter = Get jitter (local): 0, 0, 0.0001, 0.02, 1.3
points = Get number of points
broken = 0
firstPulse = Get time from index: 1
previous = firstPulse
for i from 2 to points
  time = Get time from index: i
  broken += if time - previous > 1.25 / 75 then time - previous else 0 fi
  previous = time
endfor
selectObject: sound, pulses
shimmer = Get shimmer (local): 0, 0, 0.0001, 0.02, 1.3, 1.6
selectObject: sound
harmonicity = To Harmonicity (cc): 0.01, 75, 0.1, 1
hnr = Get mean: 0, 0
appendInfoLine: "jitter_local ", jitter
appendInfoLine: "shimmer_local ", shimmer
appendInfoLine: "hnr_db ", hnr
appendInfoLine: "voice_break_fraction ", broken / (previous - firstPulse)
