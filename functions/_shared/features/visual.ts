import { type FeatureDefinition, unscored } from './definition.ts'

/** Each of the seven classes of expressions. */
const EXPRESSION_CLASS = {
  unit: 'probability',
  least: 0,
  greatest: 1,
  method:
    'Mean probability of one expression class, by the network of Arriaga et al. 2017 brought to the shares of the classes in talk, over the usable images, weighted by their quality. The seven means add up to 1.',
}

/**
 * The features of a check-in's images, in the order in which they are stored.
 *
 * Visual. Directions after Girard et al. 2014 (Image Vis. Comput. 32: less smiling, head and gaze lowered in severe
 * depression) and Gaebel and Wölwer 2004 (reduced expressivity). Emotion probabilities come from a classifier
 * reported at about 66% accuracy and share little weight; face scores say least of people of whom such models
 * saw least, so the own baseline has the greatest weight here. Fear, surprise, disgust and neutral are the least
 * reliable classes and are not scored, nor is anger, which is read in too many neutral faces.
 *
 * The means of the classes are their shares in talk, to which the classifier is brought (`classifyEmotion`). The smile is that of
 * such talk: 0.12 in neutral faces and 0.72 in happy ones, as measured on the faces of `npm run accuracy:face`, at a happy share of
 * 0.17. So a neutral face is an ordinary one.
 */
export const VISUAL_DEFINITIONS = {
  emotion_happy: {
    ...EXPRESSION_CLASS,
    norm: {
      mean: 0.17,
      sd: 0.25,
      direction: 1,
      weight: 0.5,
      cap: 1,
      personal: 0.5,
      raised: 'a happy expression',
      lowered: 'fewer happy expressions',
    },
  },
  emotion_sad: {
    ...EXPRESSION_CLASS,
    norm: {
      mean: 0.07,
      sd: 0.18,
      direction: -1,
      weight: 0.5,
      cap: 0.75,
      personal: 0.5,
      raised: 'few sad expressions',
      lowered: 'a sadder expression',
    },
  },
  emotion_angry: {
    ...EXPRESSION_CLASS,
    norm: unscored(0.12, 0.18),
  },
  emotion_fear: {
    ...EXPRESSION_CLASS,
    norm: unscored(0.03, 0.08),
  },
  emotion_surprise: {
    ...EXPRESSION_CLASS,
    norm: unscored(0.12, 0.12),
  },
  emotion_disgust: {
    ...EXPRESSION_CLASS,
    norm: unscored(0.03, 0.08),
  },
  emotion_neutral: {
    ...EXPRESSION_CLASS,
    norm: unscored(0.47, 0.3),
  },
  emotion_stability: {
    unit: 'ratio',
    least: 0,
    greatest: 1,
    method:
      "How alike the expressions of the images are: 1 minus the mean total variation distance (half the sum of absolute differences) between each image's class probabilities and their mean. 1 when all agree; needs two images.",
    norm: unscored(0.7, 0.2),
  },
  smile_intensity: {
    unit: 'ratio',
    least: 0,
    greatest: 1,
    method:
      "Mean strength of the smile, 0 none to 1 broad, from the mouth's width and corners (action unit 12).",
    norm: {
      mean: 0.22,
      sd: 0.25,
      direction: 1,
      weight: 1,
      cap: 1,
      personal: 0.6,
      raised: 'smiling',
      lowered: 'less smiling',
    },
  },
  mouth_openness: {
    unit: 'ratio',
    least: 0,
    greatest: 2,
    method:
      'Mean gap between the lips over the inner width of the mouth, 0 when shut (action units 25 to 27).',
    norm: unscored(0.1, 0.1),
  },
  eye_openness: {
    unit: 'ratio',
    least: 0,
    greatest: 1,
    method: 'Mean eye aspect ratio of both eyes (Soukupová and Čech 2016), about 0.33 for open eyes.',
    norm: unscored(0.32, 0.08),
  },
  eye_closure_fraction: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Share of the usable images in which the eyes are shut, the counterpart of PERCLOS (Wierwille 1994).',
    norm: {
      mean: 0.08,
      sd: 0.12,
      direction: -1,
      weight: 0.6,
      cap: 0.5,
      personal: 0.5,
      raised: 'open, alert eyes',
      lowered: 'tired-looking eyes',
    },
  },
  brow_lowering: {
    unit: 'ratio',
    least: 0,
    greatest: 1,
    method: 'Mean lowering of the inner brows, 0 raised to 1 lowered, about 0.3 at rest (action unit 4).',
    norm: unscored(0.3, 0.2),
  },
  expressivity: {
    unit: 'ratio',
    least: 0,
    greatest: 1,
    method:
      'How much the face changes between images: root mean square of the standard deviations of smile, brows and mouth, doubled so that it reaches 1 when each swings from end to end. Independent of the expression classes. Needs two images.',
    norm: {
      mean: 0.25,
      sd: 0.15,
      direction: 1,
      weight: 0.6,
      cap: 0.75,
      personal: 0.6,
      raised: 'a lively face',
      lowered: 'a stiller face',
    },
  },
  gaze_on_camera_fraction: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Share of the images in which open eyes look at the camera, by head pose and iris position. Images with the head turned away count as not looking.',
    norm: unscored(0.6, 0.28),
  },
  gaze_down_fraction: {
    unit: 'fraction',
    least: 0,
    greatest: 1,
    method:
      'Share of the images in which the gaze, head and eyes together, is lowered, with eyes open or shut.',
    norm: {
      mean: 0.18,
      sd: 0.2,
      direction: -1,
      weight: 0.5,
      cap: 0.5,
      personal: 0.6,
      raised: 'looking up',
      lowered: 'looking down more',
    },
  },
  head_pitch_mean_deg: {
    unit: 'degrees',
    least: -90,
    greatest: 90,
    method:
      'Mean pitch of the head, positive with the chin raised, over images with a face that shows where it is turned.',
    norm: unscored(0, 10),
  },
  head_yaw_sd_deg: {
    unit: 'degrees',
    least: 0,
    greatest: 90,
    method:
      "Standard deviation of the head's yaw, how much it turns from side to side between images; needs two.",
    norm: unscored(6, 5),
  },
} satisfies Record<string, FeatureDefinition>

export type VisualFeatureName = keyof typeof VISUAL_DEFINITIONS
