/** What machines, food and games do: positive evidence that death words are not about a life. */
export const HARMLESS_WISH =
  /\b(?:phone|battery|laptop|wifi|printer|metal|penalty|deadline|dead(?:line|lift| tired| serious| end| weight| heat| sea| leg| set| zone| pan)|lecture|exam hall|seminar|die(?:t| hair)|hair|curiosity|laugh\w*|embarrass\w*|cringe\w*|boredom|pizza|coffee|season (?:two|three|finale)|playlist|subscription|rent|tenancy|lease|halls|sold out|concert|gig)\b/

export const HARMLESS_MEANS =
  /\b(?:climb(?:ing)? (?:wall|gym|rope|club)|bungee|parachute|trampoline|swimming pool|pool|photo\w*|pictures of|hay ?fever|allerg\w*|vitamins?|breakfast|headache|prescribed|refill|pharmacy)\b/

export const HARMLESS_HURT =
  /\b(?:shav\w+|cook\w*|chop\w*|kitchen|accident\w*|by mistake|football|soccer|practice|gym|training|playing|lifting|basketball|rugby|tennis|ski\w*|skat\w*|fell|bike|slipped|paper|oven|coffee|tea|curling|stove|pan|sprain\w*|stubbed|sunburn\w*|cat|tattoo\w*|hair ?cut|hairdresser)\b(?!.*\bon purpose\b)/

export const HARMLESS_ABUSE =
  /\b(?:chess|tennis|game|games|match|squash|badminton|shower|record|laugh\w*|joke|pillow|snooze|up about|me up|email\w*|text\w*|goose|dog|cat|wave|realis\w*|realiz\w*|football|hug|hugs?)\b/
