/** The classes of the expression model, in the order of its output. */
export const EMOTIONS = ['angry', 'disgust', 'fear', 'happy', 'sad', 'surprise', 'neutral'] as const
export type Emotion = (typeof EMOTIONS)[number]
