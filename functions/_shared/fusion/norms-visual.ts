import { type FeatureNorm, unscored } from './norms.ts'

/**
 * Visual. Directions after Girard et al. 2014 (Image Vis. Comput. 32: less smiling, head and gaze lowered in severe
 * depression) and Gaebel and Wölwer 2004 (reduced expressivity). Emotion probabilities come from a classifier
 * reported at about 66% accuracy and share little weight; face scores say least of people whom such models were
 * trained on least, so the own baseline has the greatest weight here. Fear, surprise, disgust and neutral are the least
 * reliable classes and are not scored, nor is anger, which is read in too many neutral faces.
 *
 * The means of the classes are their shares in talk, to which the classifier is brought (`classifyEmotion`). The smile is that of
 * such talk: 0.12 in neutral faces and 0.72 in happy ones, as measured on the faces of `npm run accuracy:face`, at a happy share of
 * 0.17. So a neutral face is an ordinary one.
 */
export const VISUAL_NORMS: Readonly<Record<string, FeatureNorm>> = {
  emotion_happy: {
    mean: 0.17,
    sd: 0.25,
    direction: 1,
    weight: 0.5,
    cap: 1,
    personal: 0.5,
    raised: 'a happy expression',
    lowered: 'fewer happy expressions',
  },
  emotion_sad: {
    mean: 0.07,
    sd: 0.18,
    direction: -1,
    weight: 0.5,
    cap: 0.75,
    personal: 0.5,
    raised: 'few sad expressions',
    lowered: 'a sadder expression',
  },
  emotion_angry: unscored(0.12, 0.18),
  emotion_fear: unscored(0.03, 0.08),
  emotion_surprise: unscored(0.12, 0.12),
  emotion_disgust: unscored(0.03, 0.08),
  emotion_neutral: unscored(0.47, 0.3),
  emotion_stability: unscored(0.7, 0.2),
  smile_intensity: {
    mean: 0.22,
    sd: 0.25,
    direction: 1,
    weight: 1,
    cap: 1,
    personal: 0.6,
    raised: 'smiling',
    lowered: 'less smiling',
  },
  mouth_openness: unscored(0.1, 0.1),
  eye_openness: unscored(0.32, 0.08),
  eye_closure_fraction: {
    mean: 0.08,
    sd: 0.12,
    direction: -1,
    weight: 0.6,
    cap: 0.5,
    personal: 0.5,
    raised: 'open, alert eyes',
    lowered: 'tired-looking eyes',
  },
  brow_lowering: unscored(0.3, 0.2),
  expressivity: {
    mean: 0.25,
    sd: 0.15,
    direction: 1,
    weight: 0.6,
    cap: 0.75,
    personal: 0.6,
    raised: 'a lively face',
    lowered: 'a stiller face',
  },
  gaze_on_camera_fraction: unscored(0.6, 0.28),
  gaze_down_fraction: {
    mean: 0.18,
    sd: 0.2,
    direction: -1,
    weight: 0.5,
    cap: 0.5,
    personal: 0.6,
    raised: 'looking up',
    lowered: 'looking down more',
  },
  head_pitch_mean_deg: unscored(0, 10),
  head_yaw_sd_deg: unscored(6, 5),
}
