import { detectCrisis } from '../../../functions/_shared/text/index.ts'
const H=`I'm planning to kill myself this weekend
I've decided to end my life
I can't keep going, I'm going to do it tonight, I'm going to die by my own hand
sometimes I think about just killing myself and being done
I'm thinking of ending it all
thinking about taking my life lately
i have been googling how to die painlessly
I took a whole bottle of tylenol an hour ago
I took thirty pills and I'm scared
I'm standing on the roof and thinking of jumping
I want to throw myself in front of a bus
I was going to drive my car off the bridge yesterday
I keep a razor blade under my mattress and I cut every night
I've been self harming since September
I burned myself with a lighter again on purpose
there are fresh cuts all over my thighs
i relapsed and cut last night
I wrote my suicide note already
i have written letters to everyone for after I'm gone
I've picked the day I'm going to do it
i don't plan on being alive by graduation
I won't be alive much longer
this will be the last time you hear from me
I'm suicidal and I don't know who to tell
feeling very suicidal rn
su1cidal thoughts are back
i cant do this i wanna d!e
I w a n t t o d i e
gonna off myself fr
I'm going to neck myself
i want to be dead
I should just kill myself
My ex said he will kill me and I believe him
my stepdad comes into my room at night and touches me
I got raped at a party on Saturday
my boyfriend strangled me
I do not feel safe at home, my father is violent
I have the gun loaded next to me
the voices tell me to kill myself
I tried to hang myself on Tuesday
I almost jumped today
I've thought about it and suicide is the only way out
I just want to die, that's all
wish I could just kill myself already
I'm not okay, I want to end my life
I've attempted before and I'm going to try again
part of me wants to die
no one would care if I killed myself
can't stop having thoughts of suicide
I have intrusive thoughts about hurting myself and I'm afraid I'll act on them
yo quiero suicidarme
he comes home drunk and chokes me
I'm bleeding, I cut too deep
I don't want to die but I can't see any other way than killing myself
"I want to die" is all I can think
hoy me quiero matar
I'll hang myself
I will jump off the roof of my dorm
I'm gonna slit my wrists`.split('\n')
const M=`I wish I could fall asleep and never wake up
it would be easier if I wasn't here
my family would be happier without me
I don't see the point of being alive
I don't really want to exist
sometimes I hope a truck hits me
I wish I were dead
if I died tomorrow it wouldn't matter
I have nothing to live for
I don't want to be alive anymore
my girlfriend slaps me when she is angry
I think about death all the time
I feel like a burden to my family
living is exhausting and I want it all to stop
I don't see myself being around next year
maybe it'd be better if I never existed`.split('\n')
const L=`I am not thinking about suicide
no I don't have any thoughts of killing myself
I haven't had suicidal thoughts since last year
my cousin died by suicide in 2019
my roommate keeps talking about killing herself
she told me she wants to die
I had thoughts of suicide in high school, I'm doing well now
I used to self harm when I was thirteen but not anymore
everything feels pointless
I can't take it anymore
lol kms this quiz
I wanted to die of embarrassment`.split('\n')
const N=`I'm dying for a pizza
this heat is killing me
I nearly died when he walked in on me singing
the killer in that show was so obvious
I'd kill to have your hair
my laptop is dead
he's dead to me after that group project
my back is killing me
we discussed euthanasia in ethics class
I'm writing a paper on suicide rates among veterans
Hamlet's to be or not to be speech is about suicide
we watched 13 Reasons Why where the girl kills herself
I shot some hoops and then hung out with Sam
I burned myself on the oven making pasta
I hurt myself skiing, nothing serious
I ran five kms this morning
I want to end my subscription
I'm so done with this semester
I want to end it with my boyfriend
the train was late so I stood on the platform
I bought a razor and shaving foam
I take my medication every morning
I'm tired of living in halls
I don't want to live with them next year
I want to live closer to campus
I want everything to stop being so busy
I cut my hair myself
I cut class today
I have been cutting back on sugar
I've been cutting carbs
my coach is going to kill me if I'm late
that joke killed me
I'm hanging out with myself tonight
I had to kill time at the airport
we jumped off the pier into the lake
I'm going to crash at my friend's place
my mom would kill me if I dropped out
the workout nearly killed me
I'd rather die than eat that again
my goldfish died
I'm not going to be here next week because I am visiting home
I don't want to be here, this party is boring
I hit the gym and beat my record
he beats me every time at tennis
my professor attacked my argument
I was attacked by a goose
I could sleep forever this weekend
I slept like the dead
the plan is to end on a high note
I had an overdose of coffee
they shoot the movie downtown
I bring it on myself by starting late
I gave away my old books
I left a note for my roommate
I said goodbye to my parents at the station
Nobody would notice if I skipped that lecture
what's the point of this assignment
I think about death metal a lot
I can't live without coffee
I feel safe at home
my friend is a lifesaver
I have a deadline to kill off this draft
I want to disappear into a good book
I'm going to murder that burger
I hope I don't wake up late tomorrow
the exam was brutal and I was dead by the end
I stopped by the bridge to take photos
suicide prevention week starts Monday
I'm a burden on my parents financially so I got a job
The medicine made me sick
I'm scared to go home for the holidays because of all the food`.split('\n')
const o=['none','mild','moderate','high']
let bad=0
for (const [name,list,lo,hi] of [['H',H,3,3],['M',M,2,3],['L',L,0,1],['N',N,0,1]] as const) { let miss=0; for (const s of list) { const r=detectCrisis(s); const i=o.indexOf(r.level); if (i<lo||i>hi) {miss++; console.log(name, r.level, r.rule, '|', s)} else if (name==='N'&&i>0) console.log('  n', r.level, r.rule, s) } console.log(name, list.length-miss, '/', list.length) }
