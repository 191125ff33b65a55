/**
 * The most frequent words of English as students speak it, with usual misspellings, in lower case without apostrophes and accents: much of what
 * is neither one of these, nor one with an ending, says that a text is in another language.
 */
export const ENGLISH_VOCABULARY: ReadonlySet<string> = new Set(
  `
a aarhus aaron abandon abandoned abara abba abbas abbey abbu abc abdel abducted abdul abdullah abeg abena abend aber aberdeen
abernethy aberystwyth abide ability able aboard abolish aboot abortion about above abraham abroad abseil absence absent
absolute absolutely abstract absurd abt abu abuela abuelas abuelo abuse abused abuses abusive abut ac academic academically
academy accent accents accept acceptable acceptance accepted accepting access accessible accident accidentally accidents
accommodate accommodation accompanied accompanist accompanying accomplished accord accordance according accordion accords
account accountancy accountant accounted accounting accounts accra accurate accusations accuse accused accuses accusing ace
aced aceh ach ache achebe aches achieve achieved achievement achievements achieving achterberg acid ackee acknowledge
acknowledged acknowledgements acoustics acquire acquired acquisition acquisitions acres across act acted acting action actions
active actively activist activists activities activity actor actors actress acts actual actually actuarial actuary acute ad
adaeze adam adams adaptation adapted add added adderall adding addis addition additional additionally address addressed
addresses addressing adds adelaide adele adequate adeyemi adieu adios adjacent adjusted admin administered administration
administrative administrator admiral admission admissions admit admits admitted adobo adolescents adopt adopted adoption adore
adrenaline ads adult adults advance advanced advances advancing advantage advantages advent adventure adventures advert
advertisement advertising adverts advice advil advised adviser advisers advisor advisory advocacy advocate advocates ae aerial
aerobics aeroplane aerospace aff affair affairs affect affected affecting affiliate affiliated afford afghan afghanistan afp
afrad afraid afriad africa african africans afrikaans after aftermath afternoon afternoons afterward afterwards ag aga again
against agassi agatha age aged agen agencies agency agenda agent agents ages aggregate aggression aggressive aggressively
agian aging agn agnes agnieszka ago agony agree agreed agreeing agreement agreements agrees agri agricultural agriculture
agronomy ah ahead ahl ahmad ahmadinejad ahmed ai aid aide aider aides aids aight ailing aim aimed aiming aims aino aint air
airbag airbed airbus aircon aircraft aired aires airing airline airlines airplane airport airports airtime airway airways
aisle aisling aiyo akara aki al alabama alaikum alan alarm alarmed alarms alasdair alaska albania albanian albanians albany
albert alberta alberto albright album albums alcohol aldi ale aleppo alert alex alexander alexandria alfie alfred algebra
algeria algerian algorithms alhamdulillah ali alice alife alike aliv alive all allah allegations alleged allegedly allen
allergic allergies allergy alley alliance allied allies allo allotment allotments allow allowance allowed allowing allows alls
allways ally almaty almirah almond almonds almost aloe aloha alone along alongside aloo aloud alpaca alphabet alphabetical
already alredy alright also alt altar altered alternate alternative alternator although altitude alto altogether altoids altos
alumni always alwys alyve am amara amateur amazing amazon ambassador amber ambition ambitions ambitious ambulance amen
amendment amendments america american americans americas ames amid amina amir amitriptyline amma amman ammas ammi ammonite
ammunition amnesty among amongst amount amounted amounts amp ampoules amsterdam amy an ana anaemic anaesthesia anaesthetic
anaesthetics anaesthetist anaheim analysis analyst analysts analytics anatomy ancestors anchor ancient and anderson andre
andrew andrews andy anesthesia ang angel angela angeles angels anger angered angle anglesey angola angry anh animal animals
animated animation animations anime aniway anjali ankara ankle ankles ann anna annan anne anneke annelies annexe anniversary
announce announced announcement announcements announcing annoy annoyed annoying annoyingly annual annually annuities anomic
anomie anonymity anonymous another anselm answer answered answering answers ant antarctica anthem anthony anthrax anthropology
anti antibiotic antibiotics anticipated antidepressant antidepressants antidote antidotes antifreeze antigone antihistamine
antihistamines antitrust antonio ants antwerp anwar anxiety anxious any anybody anybodys anyhow anymor anymore anymre anyone
anyones anything anyway anyways anywhere aoife aoifes aol ap apart apartheid apartment apartments apec apocalypse apologies
apologise apologised apologises apologising apologize apology apoptosis app appa apparent apparently appeal appealed appealing
appeals appear appearance appearances appeared appearing appears appellant appendix appetite appetites applauded applause
apple apples application applications applied apply applying appointed appointment appointments appreciate appreciation
apprentice apprenticeship approach approached approaches approaching appropriate approval approve approved approximately apps
apricot apricots april apron aqua aquarium arab arabia arabic arabs arafat arbor arc arch archaeology archbishop archery
arches architect architects architectural architecture archive archives archivist arctic are area areas arena arent arepas
argentina argentine argue argued argues arguing argument arguments ariel aristide arithmetic arizona arkansas arm armed
armenia armenian armored armour armoury armpits arms armstrong army arnold around arran arrange arranged arrangement
arrangements arranging array arre arrest arrested arrests arrival arrive arrived arrives arriving arrow arrows arroyo arse
arsenal arsenic art artery arthur arthurs article articles artificial artillery artist artistic artists arts arvo arvos as
asda asean ash ashamed ashes ashtray asia asian aside ask asked asking asks asleep asparagus aspect aspects aspirin assad
assalam assalamu assalamualaikum assassinate assassination assault assaulted assembled assembly assess assessed assessment
assessments assessor asset assets assigned assignment assignments assist assistance assistant assistants assisted assists
associate associated associates association associations assume assumed assured asthma astronaut astronomy asylum at ate ath
athens athlete athletes athletic athletics athlone atlanta atlantic atmosphere atomic atop atp attached attachment attack
attacked attackers attacking attacks attempt attempted attempting attempts attend attendance attended attending attention
attic attitude attorney attorneys attract attracted attraction attractive attributed au aubergine auckland auction audience
audiences audio audiology audit auditing audition auditions august augustine aunt auntie aunties aunts aunty auntys austin
australia australian australians austria austrian author authorities authority authorized authors auto autoclave autocorrect
automaker automakers automatic automatically automobile automotive autonomous autonomy autopsy autumn ava available ave avenue
average averaged aviation aviv avocado avocados avoid avoidance avoided avoiding aw awaiting awake award awarded awards aware
awareness away awful awfully awfy awkward awning axe axes ay aye azerbaijan aziz b ba baba babe babes babies baby babys
babysit bach bachelor bachelors back backed backgammon background backhand backing backlog backpack backs backside backstage
backup backwards bacon bacteria bad badge badger badges badly badminton bag bagel baghdad bagpipes bags baguette baguio
bahrain baht bail bailey bailiffs bailout bairn bairns bait bak bake baked baker bakers bakery bakes baking bakkie baklava
balance balanced balances balcony bald bali ball ballad ballads ballarat ballet ballina balloon balloons ballot ballots balls
balm balsa baltic baltimore bam ban banana bananas band bandage bandaged bandages bands bang banged banging bangkok bangladesh
bangle bangles bangor bangs banh banister banjo bank banker bankers banking bankruptcy banks banned banner banos banquet
banter bap baptised baptist baptiste bar bara barack barak barangay barbados barbara barbecue barbed barber barbers barbie
barcelona barcode bard bare barefoot barely bargain bargained bargaining barge bari barista bark barked barking barley barn
barnes barney barns barnsley baron barracks barred barrel barrels barrier barriers barry bars base baseball based baseman
basement bases bashir basic basically basil basin basis basket basketball baskets basque bass basses bassoon bastard bat batch
bath bathe bathed bathroom bathrooms baths bathtub batman baton bats battalion batter battered batteries batters battery
batterys batting battle battlefield battles battling bawl bawled bawling bay bayern baz bbc bbq bc bday be bea beach beaches
bead beading beads beagle beak beaker beam beams bean beanbag beanbags beans bear beard bearing bears beas beast beat beaten
beating beatriz beats beautiful beautifully beauty became because bechamel become becomes becoming becos becuase becuz bed
bedding bedroom bedrooms beds bedsheets bedside bedtime bee beech beef beekeeping been beep beeping beeps beer beers bees
beeten beetles beetroot befor before beforehand befour beg began begged begging begin beginners beginning begins begun behalf
behave behaving behavior behaviour behind beige beijing being beirut belarus belay belayer belfast belgian belgium belgrade
belief beliefs believe believed believes believing bell belle bells belly belong belonged belonging belongings belongs beloved
below belt belts bem ben bench benched benches benchmark bend bending bends beneath benedict beneficiary benefit benefits
benign benjamin bennett bens bent berden bereaved bereavement bereft bergen berkeley berlin berlusconi bernadette bernard
bernie beryl beside besides best bestie bet beta beter beth bethan beto betrayed betta better betting bettr between bev bex
beyonce beyond bf bhai bhaiya bhangra bhutan bhutto bib bible bibliography bicarb bicycle bicycles bid bidding bids big bigger
biggest bike biked bikes bilal bilateral bill billboard billion billions bills billy bin binary binder binders binding binged
bingo binned bins bio biochem biochemistry biography biological biology biomechanics biomed biomedical biopsy bipartisan bird
birden birdie birds birmingham biro birth birthday birthdays biryani biscuit biscuits bishop bishops bisi bit bite bites
biting bits bitten bitter black blackberries blackberry blackbird blacked blackout blackpool blacks blade blades blaid blair
blake blame blamed blank blanked blanket blankets blast blasts blayd blaze blazer bleach blead bleak bled bleding bleed
bleeded bleedin bleeding bleeds bleep blender bless blessed blessing blew blind blink blinked blinking bliss blister blistered
blistering blisters blizzard bloc block blockade blocked blockers blocking blocks bloemfontein blog bloke blokes blood
bloodbath bloods bloody bloomberg bloomington blossom blot blouse blow blower blowing blown blows blue blueberries blues blunt
blur blurry bmw bo boa board boarding boards boat boathouse boats bob boba bobble bobby bobotie bodhran bodies body bodys
boeing bog bogdan bogota bogs boil boiled boiler boilers boiling boils bold bolivia bollard bollywood bologna bolster bolt
bolted bolton bolts bomb bombed bomber bombers bombing bombings bombs bond bonds bone bones bonfire boning bonjour bonne
bonnet bonny bonsoir bonus boo book bookcase booked bookies booking books bookshop bookstore boom booming boost boosted
boosting boot booth boots border borders bore bored boredom borg boring boris born borough borrow borrowed borrowing borscht
bos bosnia bosnian boss bossing boston bosun bot botanic botanical botany both bother bothered bothering bothers bothy botle
bottel bottle bottles bottom bought boulder bouldering boulevard bounce bounced bouncer bouncing bouncy bound boundaries
boundary bout bow bowed bowing bowl bowlby bowline bowling bowls bows box boxed boxer boxers boxes boxing boy boycott
boyfreind boyfriend boyfriends boys bp bra braai brace bracelet bracelets braces brachial brack bracket brackets brad bradford
bradley brady brahms braid braided braids brain brains brake braked brakes braking brambles brampton branch branches brand
brandon brands brandt brass bratwurst brave braves bravo brayden brazil brazilian brb brdige breach bread break breakaway
breakdown breakfast breakfasts breaking breaks breakthrough breakup breast breath breathe breathed breathes breathing breaths
brecht brecon breeding breething breeze breezy bremen brenda brent brest breth brethe brething brew brewery brewing brian
brick bricking bricks brid bride brides bridesmaid bridg bridge bridges brief briefcase briefing briefly brigade brige bright
brighter brighton brilliant brilliantly bring bringing brings brisbane brisket bristol britain brith british brno bro broad
broadband broadcast broadcasting broadcasts broader broadway brochure broke broken broker brokerage brokers broncos bronte
bronwen bronwyn bronze brooch brook brooke brooklyn brooks broom broth brother brothers brought brown brownie brownies browns
browser brthing bru bruce bruh bruins bruise bruised bruises brunch bruno brush brushing brussels brutal brutish bruv bryan
bryant bs bsc bt bubble bubbles buchanan bucharest bucket bucketing buckets buckle bucks buckwheat bud buddhist buddy buddys
budge budget budgeting budgets budgie budgies buds buenas bueno buenos buffalo buffaloes buffer buffet bug buggy bugs build
builder builders building buildings builds built bulawayo bulb bulbs bulgaria bulgarian bulk bull bullet bulletin bullets
bulls bullwhip bully bum bump bumped bumper bumps bun bunch bungee bunk bunker bunnings bunny buns bunting buoy burdan burden
burdon bureau bureaucracy burger burgers burglar burglars burgundy burial buried burkina burma burn burned burner burnin
burning burns burnt burrito burritos bursar bursary burst bursting burton burundi bury burying bus busan buses bush bushes
business businesses businessman businessmen busker bust busted busy but butcher butchers butchery butler butt butter butterfly
butties button buttons butty buy buyer buyers buying buys buzzes buzzing by bye bypass byzantine c ca cab cabbage cabin
cabinet cabinets cable cables cactus cad cadaver cadavers caddy cadet cadets caf cafe cafes cafeteria caffeine cage cai cairo
cake cakes calamansi calc calculate calculated calculating calculation calculations calculator calculus calebs calendar
calendars calf california call called caller callers callie callin calling calls callum callums calm calmed calmer calming
calmly calms calved calves calving cam cambodia cambodian cambridge came camel camera cameras cameron cameroon camila camille
camogie camp campaign campaigning campaigns campbell camping camps campus camus can canada canadian canal canals canary cancel
canceled cancelled cancelling cancels cancer candidacy candidate candidates candle candles candy cane canister cannae cannon
cannot cannula canny canoe canon cans cant canteen canteens canvas canyon cap capabilities capability capable capacity cape
capita capital capitals capitol cappella cappuccino caps capsize capstone capsule captain captains caption capture captured
car carabiner caramel caravan carbon card cardamom cardboard cardiac cardiff cardigan cardinal cardinals cardio cards care
career careers careful carefully carer carers cares caretaker cargo caribbean caring cark carked carl carlisle carlos carlow
carnage carnival carol carolina carols carpark carpet carpets carriage carriageway carried carrier carriers carries carroll
carrom carrot carrots carry carrying cars cart cartel carter carton cartons cartoon cartoons cartwheel carve carved carvery
carving case cases casey cash cashier casino casket cassava casserole cast casting castle castles castro casualties casualty
cat catalogue cataloguing cataract catastrophe catch catches catching catchy categorical categories category catering
caterpillar cathal cathedral catherine catheter catheters catholic catholics catriona cats cattle caught cauliflower causation
cause caused causes causing caution cautioned cautious cavalry cave cavities cawl cbs cbt cca cd cdy cease ceasefire cebu
cedar cedis ceili ceilidh ceiling ceilings celebrate celebrated celebrating celebration celebrations celebrities celebrity
celestial cell cellar cellist cello cells cellular celtic celtics cement cemetery census cent center centered centers
centimetres central centre centrifuge cents centuries century ceo ceramics cereal ceremonies ceremony cert certain certainly
certificate certificates certified cgpa chaat chad chai chain chains chainsaw chair chairman chairs chale chalk challenge
challenged challenger challenges challenging chamber chambers champagne champion champions championship championships chan
chance chancellor chancellors chances chandelier chang change changed changes changing channel channels chant chanting chaos
chap chapati chapel chaplain chaplaincy chaplains chapter chapters char character characteristics characterized characters
charcoal charge charged charger chargers charges charging charity charles charlie charlotte charming chart charter chartists
charts chase chased chasing chat chats chatted chatting chatty chaucer chavez cheap cheaper cheated cheating cheats chechen
chechnya check checked checkin checking checklist checkout checks cheek cheeks cheeky cheer cheered cheerful cheerfully
cheering cheerio cheers cheery cheese cheeseburger cheesecake cheeses chef chefs chekhov chelsea chem chemical chemicals
chemist chemistry chemists chemo chen cheney chengdu chennai cherries cherry chess chest chestnut chests chew chewed chewing
chi chiara chicago chicken chickened chickenpox chickens chickpea chickpeas chicks chidi chief chiefly chiefs chihuahua child
childcare childhood children childrens childs chile chilean chileans chili chill chilled chilli chillies chilling chimney chin
china chinese chip chipmunk chipped chipper chippy chips chirac chloe chlorine choaked chocolate chocolates choice choices
choir choirs chokd choke choked chokes choking choks cholera choose choosing chop chopin chopped chopping chops chords chore
chores chorus chose chosen chow chris christ christening christian christianity christians christie christmas christmases
christopher chronic chronicle chrysler chuck chucked chucking chuffed chur church churches churchyard churros chutney ci cia
ciao ciara ciaran ciaras cider cigarette cigarettes cincinnati cinderella cinema cinnamon circle circled circles circuit
circuits circulation circumstances circus citation cite cited cities citing citizen citizens citizenship city civic civil
civilian civilians claim claimed claiming claims claire clan clap clapped clappers clapping claps clare clarinet clark clarke
clash clashed clashes class classes classic classical classics classification classified classmate classmates classroom claude
clause claw claws clay clays clean cleaned cleaner cleaners cleanest cleaning cleans clear clearance clearances cleared
clearing clearly clears cleats cleaver clementine cleopatra cleric clerk cleveland clever cliche click clicked clicker
clicking clicks client clients cliff cliffs climate climb climbed climber climbing climbs cling clinic clinical clinicals
clinics clinton clip clipboard clipped clippers clipping clips clive cloakroom clock clocked clocking clocks clogs close
closed closely closer closes closest closet closing closure clot cloth clothes clothing cloths clotting cloud clouds cloudy
clove clown club clubbed clubs clue clues cluj clumsy cluster clutch clyde cm cnat cnn cnt co coach coached coaches coaching
coachs coal coalition coals coast coastal coaster coastguard coat coating coats cob cobbler cobh coca cocaine cock cocktail
coco cocoa coconut cod codamol code coded codeine codes coding cody coercive coffee coffees coffin coffins cognition cohen
cohort coil coiled coin coins coke col cola colander cold colds cole coleslaw colin collaboration collapse collapsed collar
collarbone colleague colleagues collect collected collecting collection collections collective collects college colleges
collie collins collision colloquium colombia colombian colombo colonel colonial colony color colorado colored colors colour
coloured colouring colours columbia columbus column columnist columns coma comb combat combed combination combine combined
come comeback comedy comes comfort comfortable comforting comfy comic comical comics comin coming comit comma command
commanded commander commanders commanding commas comment commentary commented comments commerce commercial commercials commis
commission commissioned commissioner commit commiting commitment commitments committed committee committees committing
commodities commodity common commonly commons commonwealth commune communication communications communion communist communists
communities community commute commuting comp compact companies companion company comparable comparative compare compared
compares comparing comparison compass compensation compete competed competency competent competing competition competitions
competitive competitor competitors compilation compiled compiler compilers complain complained complaining complains complaint
complaints complete completed completely completing completion complex compliance complicated compliment compliments compline
comply component components composed composer composing composite composition compost compound comprehensive compressions
comprises compromise compulsory computer computers computing comrades con conceded concentrate concentrated concentrating
concentration concept concern concerned concerning concerns concert concerts concessions conclude concluded conclusion
conclusions concrete concussion condemned condensed condition conditional conditioner conditioning conditions condom conduct
conducted conducting conductor cone cones conference conferences confess confessed confession confessional confetti confidence
confident confirm confirmation confirmed confiscated conflict conflicts confocal confront confrontation confused confusing
confusion congo congratulated congratulations congregation congress congressional congressman connect connected connecticut
connecting connection connections connor conor conors cons conscience consecutive consensus consent consequences conservation
conservative conservatives conservatoire conservatory consider considerable considerably considerate consideration considered
considering considers consisted consistent consistently consisting consists console consortium conspiracy constant constantly
constituency constitution constitutional constructed construction constructive consulate consultant consultations consulting
consumed consumer consumers consumption contact contacted contacts contain contained container containers containing contains
contemporary contend content contention contents contest contested context continent continental contingent continue continued
continues continuing continuous contract contracted contractor contractors contracts contradiction contrary contrast
contribute contributed contributing contribution contributions control controlled controller controlling controls
controversial controversy convenience convention conventional conversation conversations conversion convert converted
convicted conviction convince convinced convincing convocation convoy cook cooked cooker cookers cookie cookies cooking
cookout cooks cool cooler cooper cooperate cooperation cooperative coordinate coordinated coordination coordinator cop cope
copenhagen copied copies coping copper coppers cops copy copyright coral cord core coriander cork cormac corn corner corners
cornwall corolla coroner coroners corporate corporation corporations corps corpse corpses corpus correct corrected correcting
correction corrections correctly corrects correspondent corresponding corridor corridors corrosion corrupt corruption corsa
corsets cos cost costa costco costing costings costly costs costume costumes cosy cot cottage cotton couch cough coughed
coughing could couldnae couldnt couldve council councils counsel counseling counselling counsellor counselor count countdown
counted counter counterpart counterparts counterpoint counties counting countries country countryside counts county coup
couple couples coupon courage courgette courgettes courier course courses coursework courseworks court courthouse courting
courtroom courts courtyard couscous cousin cousins coventry cover coverage covered covering covers covid cow coward cowboy
cowboys cows cox coxnet coz cpc cpr cr crab crabs crack crackdown cracked cracker crackers cracking cracks craft crag craic
craig cramp cramped cramps crane cranes cranial cranky crash crashed crashes crashing crate crates cravat crawford crawl
crawled crawling crayfish crayon crazy cream creamery creams create created creates creating creation creative creche
credibility credible credit credited creditors credits creek creep creeper creepy crem cremation crematorium creme crepe
crepes cress crete crew crewe crewmate crews crib cribbage cricket crickets cried cries crime crimes criminal criminals
criminology cringe crisis crisp crispbread crisps crispy crit criteria critic critical criticised criticism criticized critics
critique crits croaky croat croatia croatian crochet crocodile crocs croissant croissants crook crooked crop crops cross
crossbones crossed crosses crossing crossings crossword crosswords crow crowbar crowd crowded crowds crown crowns crows
croydon crucial crude cruel cruise cruisy crumble crumpet crumpets crush crushed crust crusts crutches cruz cry crying crypto
crystal crystals cs ctb ctting cuba cuban cube cubes cubic cubicle cubs cucumber cucumbers cud cuddle cudnt cue cues cuff
cuffs culinary cult cultural culture cultures culvers cumin cup cupboard cupboards cuppa cups curator curb curd cure curious
curl curling currencies currency current currently curry cursed curtain curtains curtis curve curves cushion cushions custard
custody custom customer customers customs cut cute cutin cuting cuts cutt cutter cuttin cutting cuttng cutts cuz cv cyaan
cyanide cyber cycle cycled cycles cycling cyclist cylinder cypriot cyprus cyst czech d da daal dachshund dad dada daddy daddys
dadi dadll dads dae daed daegu daein daffodils daft dag dagger dahlias dai daily dairy dakar dakota dal dalai dale dallas dam
damage damaged damages damaging damascus dame damn damp dan dance danced dancers dances dancing danger dangerous dangers dani
daniel danish danny dannys dare darfur dark darkroom darling darlings dart darts das dash dashboard dashing dat data database
databases datas dataset date dated dates dath dating daughter daughters dave davey david davie davies davis dawn day daydream
daylight days daytime dayton dc de deacon dead deadass deadline deadlines deadlocks deadly deal dealer dealers dealing deals
dealt dean deans dear death deathbed deathh deaths deb debate debates debating debit debits debrief debriefed debris debs debt
debts debut debuted decade decades decaf deceased december decent decide decided decides deciding decimal decision decisions
decisive deck decks declan declaration declare declared declaring decline declined declines declining decluttering decorated
decoration decorations decrease decreased decree ded dedd dedicated dee deemed deep deepak deeper deeply deer def defeat
defeated defeating defence defend defendant defendants defended defender defenders defending defense defensive deferred
deferring deficit deficits define defined definitely definition defrosted degree degrees deh dehumidifier dei deid deja del
delaware delay delayed delays delegates delegation delete deleted deleting delft delhi deli deliberate deliberately delicious
delighted deliver deliverance delivered deliveries delivering delivery dell delta dem demand demanded demanding demands
dementia demo democracy democrat democratic democrats demographics demolished demon demonstrate demonstrated demonstration
demonstrations demonstrator demonstrators den dendrology denied denies denise denmark dennis denounced density dent dental
dentist dentistry dentists denver deny departed department departmental departments departure depend dependent depending
depends deployed deployment deport deposit deposits depot depreciation depressed depressing depression depth deputies deputy
der derby derek derivative derived dermatologist derry des descale descaled descant descent describe described describes
describing description desert deserve deserved deserves design designated designed designer designers designing designs desire
desk desks desktop desmond despair desperate despite dessert destination destinations destiny destroy destroyed destroying
destruction detail detailed details detained detainees detected detective detector detention determination determine
determined deth detroit deutsche dev devastated devastating develop developed developer developers developing development
developmental developments deviation device devices devil devils devon devoted devs dey dhaka dhal di dia diabetes diagnosed
diagnosis diagram diagrams dial dialled dialogue dialysis diamond diana diaries diary diazepam dice dick dickens dictated
dictating dictator dictionary did didnae didnt die died diee diego dieing dies diesel diet diff difference differences
different differential differently difficult difficulties difficulty dig digger digging digital dignity digoxin digs dill dim
dine diner ding dining dinnae dinner dinners dinosaur dinosaurs diocese dip diploma diplomacy diplomat diplomatic diplomats
direct directed directing direction directions directly director directors dirt dirty dis disabled disagree disagreed disapear
disapeer disappear disappeared disappears disappointed disappointing disappointment disarmament disaster disasters disc
discharge discharged discipline disclose disclosed disclosure disco discord discount discover discovered discovery discrete
discrimination discuss discussed discussing discussion discussions disease diseases disgrace disgusting dish dishcloth dishes
dishwasher dismissed disney disorder disorders dispatched dispensary dispensing displaced display displayed displays dispute
disputed disputes dissapear dissappear dissected dissecting dissection dissertation dissertations dissolve dissolved distance
distant distinct distinction distinctive distinguished distress distributed distribution district districts disturb ditch dive
dived diver diverse diversion diversity divide divided diving division divisions divorce divorced diwali dizzy dj dlrs dmv dna
dnr dnt do doable doc dock docker docks docs doctor doctoral doctorate doctors document documentary documented documents
dodgers dodgy does doesn doesnae doesnt dog dogs doh doha doing dole doll dollar dollars dolls dolly dolores dolphins domain
dome domestic dominant dominate dominated dominic dominican domino dominoes don donald donate donated donation donations
doncaster done donegal donkey donkeys donor donors donot dont donut donuts doom doon door doormat doors doorway doping dorm
dormitory dorms dorota dosa dosas dose doses dosnt dot dots double doubled doubles doubling doubt doubts doug dough doughnut
doughnuts dougie douglas dow down downhill downs downstairs downtown downturn dowry doyle dozen dozens dpp dprk dr draft
drafted drafting drafts drag dragged dragging dragon dragons drags drain drainage drained drains drama dramas dramatic
dramatically drank draught draughts draw drawer drawers drawing drawings drawn draws dre dread dreadful dreading dream dreamed
dreaming dreams dreamt dreich drench dress dressed dresses dressing dressings drew dribble dried dries drift drifted drill
drilled drilling drills drink drinking drinks drip dripping drive driven driver drivers drives driveway driving drizzle drone
drooling drop dropped dropping drops drought drove drown drownd drowned drownin drowning drowns drowsy drug drugs drum drummer
drummers drums drunk dry dryer dryers drying du dua dual dubai dubbed dubbo dublin duchess duck ducks dude dudes due duel dues
dug duke dull duluth dumb dumbbells dumbest dummies dummy dummys dump dumped dumpling dumplings dumpster dumsor duncan dundee
dunedin dungeon dungeons dunno dunt duo dupatta durban durham durian during durkheim dusk dust dusted dusty dutch duties duty
duvet dvd dvorak dy dye dyed dyeing dying dylan dynamic dynamics dynasty dyou e each eager eagle eagles eam ear earl earlier
earlies earliest earls early earn earned earning earnings earphones earplugs earring earrings ears earth earthquake ease eased
easements easier easiest easily easing east easter eastern easy eat eaten eating eats ecg echo echoes ecology econ
econometrics economic economics economies economist economists economy ecuador eczema ed eddie edge edged edges edible
edinburgh edit edited editing edition editions editor editorial editors eds edt educated education educational educator edward
edwards ee eejit eels effect effective effectively effects efficiency efficient effort efforts efter egg eggs eggshells
egoistic egsist egusi egypt egyptian eh ehm ehn ehud ei eid eigenvectors eight eighteen eighteenth eighth eighties eightieth
eights eighty eilidh eindhoven eish eisteddfod either el elaborate elastic elasticity elbow elbows elder elderly elders eldest
eldoret elect elected election elections elective electoral electric electrical electrician electricians electricity
electronic electronics elegant elegies element elementary elements elephant elephants elevated elevation elevator eleven
eleventh elf eligible elijah eliminate eliminated elimination elin elite elizabeth ellie ellies ellis else elses elsewhere
elvis em email emailed emails embargo embarrassed embarrassing embarrassment embassy embrace embroidery emeka emerald emerge
emerged emergency emerging emigrating emirates emissions emmanuel emoji emojis emotional emotionally emotions emperor emperors
emphasis emphasized empire employed employee employees employer employers employment emptied empties empty emptying emre emt
emu en enable enabled enacted enclave enclosure encore encounter encountered encourage encouraged encouraging end endangered
ended endemic endin ending endings enditall endorsed endorsement ends enemies enemy energy enforce enforcement eng engage
engaged engagement engaging engine engineer engineering engineers engines england english enhance enhanced enjoy enjoyed
enjoying ennis enogh enormous enough enrichment enrolled enron ensure ensuring enter entered entering enterprise enterprises
enters entertainment enthusiasm entire entirely entitled entity entomology entrance entrepreneurship entries entropy entry
enuf enugu envelope envelopes envied envious environment environmental envoy envy eny enymore enzyme enzymes ep epic epidemic
epidemiology epilepsy epipen episode episodes equal equality equally equation equations equine equipment equipped equity
equivalent er era eraser erasmus erd erected erg eric eritrea erm erosion errands error errors erupted escape escaped esi
especially espn espresso essay essays essential essentially establish established establishing establishment estate estates
estimate estimated estimates estonia estonian estuary et eta ethics ethiopia ethiopian ethnic etude eu euan eulogy euro europe
european europeans euros eurozone euthanasia evacuated evacuation evaluation evans eve even evening evenings evens evensong
event events eventual eventually ever everone every everybdy everybody everybodys everyday everyone everyoned everythin
everything everythings everywhere evidence evident evidently evil evolution evolved evry evrybody evryday evrynite evryone
evrything ewa ewan ewe ewes ex exact exactly exaggerating exam examination examine examined examiner examiners example
examples exams exceed exceeded excel excellent except exception excess excessive exchange exchanged exchanges excited
excitement exciting exclamation excluding exclusive exclusively excursion excuse excused excuses executed execution executive
executives exercise exercises exeter exhaust exhausted exhausting exhibit exhibition exhist exile exist existed existence
existin existing exists exit exits expand expanded expanding expansion expect expectations expected expecting expects
expedition expelled expense expenses expensive experience experienced experiences experiment experimental experiments expert
expertise experts expire expired explain explained explaining explains explanation explode exploded exploration explore
explosion explosions explosive explosives export exporters exports exposed exposure express expressed expressing expression
exs exsist exsisting extend extended extending extends extension extensions extensive extensively extent external extinguisher
extra extractor extradition extraordinary extreme extremely extremist extremists ey eye eyeballs eyebrow eyebrows eyelash
eyelashes eyeliner eyes f fa fabric face facebook faced faces facetime facetimed facilitate facilities facility facing fact
faction factions factor factories factors factory facts faculty fade fae fag fags fail failed failing fails failure failures
faint fainted fainting faints fair fairly fairness fairy faisal faith faithful fajitas fajr fake faked fakes faking falafel
fall fallen falling falls falmouth false fam fame familiar families familly family familys famine famly famous fan fancied
fancy fanning fans fantastic fantasy far farah fare fares farewell farewells fargo farhan farida farm farmer farmers farming
farms fascinator fashion faso fast fasted faster fastest fasting fat fatah fatal fate father fathers fatigue fatima fault
faure favor favorable favored favorite favors favour favourite fax fbi fc fda fear feared fearing fears feart feast feather
feathers feature featured features featuring february fed federal federation federer fee feed feedback feeder feeding feeds
feel feelin feeling feelings feels fees feet fel fell fella fellas fellow fellows fellowship felt female females femi femis
fence fences fencing fentanyl feral ferguson fern fernandez fernando ferns ferrari ferret ferry fest festival festivals fetch
fetched fever few fewer fi fiachra fiance fiat fiber fiction fictional fiddle fidel field fields fieldwork fierce fiesta fifa
fife fifteen fifteenth fifth fifties fiftieth fifty fig fight fighter fighters fighting fights figs figure figured figures
figuring fiji fil file filed files filing filipino fill filled fillet filleting filling fillings fills film filmed filming
films filter filters filthy final finale finally finals finance financed finances financial financially financing find finding
findings finds fine fined fines finger fingers finish finished finishes finishing finite finland finn finna finnish fins
fintan fire firearm firearms fired firefighters fireman firemen fires fireworks firing firm firmly firms first fiscal fischer
fish fished fisher fisheries fisherman fishermen fishes fishing fist fit fitness fits fitted fitting five fived fiver fives
fix fixed fixes fixin fixing fizzy fjord flag flagged flags flagstaff flakes flame flames flamingos flannel flap flapjack
flapjacks flare flash flashback flashcards flashing flashlight flask flasks flat flatmate flatmates flats flattened flavour
flea fled flee fleece fleeing fleet flesh flew flex flexibility flexible flies flight flights flinch flip flipped flirting
float floated floating floats floaty flog flood flooded flooding floods floor floors flop flopped flops florida floss flossing
flour flow flower flowers flowing flown flows flu fluid fluids fluke flung flushed flute fly flyer flyers flying flyover fm
foam fob foced focus focused focuses focusing fog foggy foil foils fold folded folder folders folding folds folk folklore
folks follow followed followers following follows fond fondue font fonts food foods fool foot footage football footballer
footballs footbridge footnote footnotes footscray footy for forbes forbid forbidden force forced forces forcing ford forearm
forearms forecast forecasts forehead foreign foreigners foreman forensic forensics forest forestry forests foreva forever
forevr forgave forged forget forgets forgetting forgive forgiven forgiveness forgives forgot forgotten fork forklift forks
form formal formalities formally formals format formation formatting formed former formerly forming forms formula formulas
forst fort forth fortieth fortnight fortune forty forum forums forward forwards fossils foster foucault fought foul found
foundation founded founder founders founding fountain four fourier fours fourteen fourteenth fourth fox foxes foyer fr
fractions fracture fractured fragile frame framed frames framework framing france franchise francis francisco franco francs
frank frankfurt franklin frankly fraser frat fraternity frau fraud frazzled freak freaked freaking fred frederick free freed
freedom freeing freely freestyle freeze freezer freezers freezes freezing freiburg freight freind fren french frequency
frequent frequently fresh fresher freshers freshman freshmen fresno freya friday fridays fridge fried friederike friend
friendly friends friendship fries fright frighten frightened frightening frightens fringe frisbee frog frogs from front
frontier frost frosty froze frozen fruit fruitcake fruits frustrated frustration fry fryer frying fudge fuel fueled fulfill
full fully fume fumes fuming fun function functional functioning functions fund fundamental funded funding fundings fundraiser
funds funeral funerals fungus funnier funniest funnily funny funral fur furious furnace furniture further furthermore fuse
fuss fussed fussy futon futsal future futures fyp g gabriel gaelic gaffer gaffers gag gain gained gaining gains gala gale
gallery gallon gallows galois galway gambling game games gaming gang gangs gantry gantt gap gaping garage garba garbage garcia
garden gardener gardening gardens gareth gari garlic garri gary gas gasoline gasped gassed gasworks gate gates gateshead
gateway gather gathered gathering gatorade gatsby gauge gauze gave gavin gay gaz gaza gazebo gazelle gcses gdansk gday gdbye
gdp gear gearbox gears gecko geelong geese gel gele gemma gen gender gene general generally generals generate generated
generating generation generations generator generous genes genetic genetics geneva genius genocide genre gente gentle
gentleman gentlemen gently genuine genuinely genus geoffrey geography geologists geology geometry geophysics geordie george
georgia georgian gerald geraniums gerard german germans germany gerry gesture get gethin gets gettin getting geyser gf gg
ghana ghanaian ghent ghormeh ghost ghosted ghosts giant giants gibson giddy gied gif gift gifts gig giggled giggles giggling
gilbert gin ginger gingrich giraffe girl girlfriend girlfriends girls gis gist git giulia giuliani give given gives giving
glacier glaciers glad gladly glamorous glandular glasgow glass glasses glaze glenn glitter global globe glorious glory glove
glovebox gloves glow glowing glue glued gluing gm gmina gmt gnocchi go goa goal goalkeeper goals goat goats god goddess
godfather godmother gods godson goes goggles gogh gogo gogos goin going gointo gold golden goldfish goldman golf gon gona
gonan gone goner gonna gonnae gonzalez good goodby goodbye goodbyes goodness goodnight goods google googled googling goose
goosebumps gop gordon gore gorge gorgeous gosh gospel gossip got goth gothenburg gothic gotta gotten gottingen gourd
governance governing government governmental governments governor governors gown gowns gp gpa gps grab grabbed grabbing grabe
grabs grace grad grade graded graders grades grading gradually graduate graduated graduates graduating graduation graf graft
grafting graham grain grainne grammar gramoxone grams gran grand granda grandad grandads grandas grandchildren granddad
granddaddy granddaddys granddads granddaughter grandfather grandfathers grandkids grandma grandmama grandmas grandmother
grandmothers grandpa grandparents grandpas grandson grandsons granny grannys granola grans grant granted grants grape graped
grapefruit grapes graph graphic graphics graphs grass grasses grassland grateful grater gratitude grave gravel graves
graveside gravestone graveyard gravy gray graz grease great greater greatest greatly greece greek greeks green greenhouse
greens greenspan greet greeted greetin greeting greetings greets greg greggs gregory gregs grenade grenades grenoble grew grey
greyhound grid griddle grief grieve grieving grill grilled grilling grim grind grinder grinding grinning grip gripping groan
groaned groceries grocery groningen groom grooming gross ground grounded groundnut grounds group groupmate groupmates groups
grout grow growing grown grows growth grumpy gst guadalajara guangdong guantanamo guarantee guaranteed guarantees guarantor
guard guardian guarding guards guatemala gudbye guelph guerrilla guerrillas guess guessed guessing guest guests guidance guide
guided guidelines guild guillotine guilt guilty guinea guitar guitarist guitars gulab gulf gull gulls gum gumboots gummies
gummy gums gun gunfire gunman gunmen gunna guns gunshot gus gust gut guten guts gutted gutter gutters guy guys gwaan gwen gym
gymnastics h ha haan habari habibi habit habitat hackathon had haddock hadnt haffi hafiz haggis hague hah haha hahaha haiku
hail hailed hailing hailstones hair hairbrush haircut hairdresser hairdressers hairdryer hairs hairy haiti haitian halal half
halfs halftime halfway halifax hall hallelujah hallo halloumi halloween halls hallway halo halt halted halves halwa ham hamas
hamburg hamburger hamdulillah hame hamid hamilton hamish hamlet hamlets hammer hammering hammock hamper hampshire hamster
hamsters hamstring hamstrings hamza han hana hand handbag handball handbook handed handful handing handkerchief handle
handlebars handled handles handling handout handover hands handshake handsome handwriting handy hang hange hanged hanger
hangers hangin hanging hangings hangs hanky hannah hanoi hans hao happen happened happening happens happier happiest happily
happiness happy hapy har haram harassment harbor harbour hard hardcore harder hardest hardline hardly hardship hardware hardy
hare hargreaves haribo hariri harm harmd harmed harmin harming harmless harmony harms harness harnesses harold harp harper
harriet harris harrison harry harsh hart harvard harvest harvester harvey has hash hasnt hassan hat hatch hate hated hates
hatred hats hattie hauled haunt haunted hav have haven havent having hawaii hawker hay hazard hazelnut hca he head headache
headaches headed header heading headings headland headlights headline headlines headmaster headphones headquarters heads
headset headstone heal healed healer healing health healthcare healthy heaney heap heaps hear heard hearing hearings hears
hearsay hearse heart heartbeat heartbreak heartbroken hearts heartsick heat heated heater heaters heathrow heating heatings
heats heaven heavens heavier heavily heaviness heavy heavyweight hebrew hebron heck hectares hectic hed hedge hedgehog heel
heels hei heid heidelberg heifer heifers height heights hej held helen helicopter helicopters helium hell hello helmet helmets
help helped helper helpful helping helpings helpline helplines helps hem hems hen hence henderson henna henry hens her herald
herbert herd here heres heritage hernandez hernia hero heroes heroin heroine heron herons herring hers herself hert hertin hes
hewitt hexham hey heya hezbollah hi hiccups hid hidden hide hides hiding high higher highest highlight highlighted highlighter
highlighters highlights highly highs highway highways hike hiking hilarious hilary hill hillary hills him himself hindi hindu
hinge hinges hip hippo hips hire hired hiring hirt his hispanic hissed histology historian historians historic historical
historically history hit hitch hitler hitman hits hitted hitter hitting hitts hiv hive hives hiya hk hlep hm hmm hnc hng ho
hoarding hoarse hob hobbes hobby hobs hockey hod hog hoist hola hold holder holders holding holdings holds hole holes holi
holiday holidays holland holler hollered hollering hollow hollywood holmes holocaust holy home homecoming homeland homeless
homer homes homesick homesickness hometown homework homeworks homicide homs hon honda honduras honest honestly honesty honey
honeymoon hong honking honor honorary honored honors honour honoured honours hood hoodie hoodies hoof hook hooked hooks hoop
hoops hooroo hoot hoover hoovered hoovering hoovers hooyo hop hope hoped hopeful hopefully hopeless hopes hopin hoping hopkins
hopless horizontal horn horns horoscope horrible horribly horror horse horses horticulture hose hosed hosepipe hospice
hospital hospitality hospitalized hospitals host hostage hostages hosted hostel hostile hosting hosts hot hotdish hotel hotels
hotline hotpot hour hours house housed household householder households housekeeping housemate housemates houseplant
houseplants houses housing houston how howard howdy however howl howled howling hows howya howzit hr hrt hu huang hub huda
hudson hug huge hugged hugging hugh hughes hugo huh hui hull hum human humane humanitarian humanity humans hume humidity
humiliating hummed humming hummus humor humour hums hundred hundreds hung hungarian hungary hunger hungover hungry hunt hunter
hunting hurl hurling hurricane hurricanes hurry hurt hurtin hurting hurts husband husbands hush hussein hut hutu hvac hwyl
hybrid hyderabad hydraulics hydrology hygiene hygienist hymn hymns hyun i iaea iam ian iath ibadan ibiza ibm ibrahim ibuprofen
ice icebreaker iced iceland icing icon icy id idaho idea ideal ideas ideation identical identification identified identify
identity idioms idiot idiots idk idris if iftar ignore ignored ignoring ihave ii iii ikea il ill illegal illegally illinois
illness illustrated illustration iloilo im ima image images imaginary imagine imagined imagining imam imf imgonna imma
immediate immediately immigrant immigrants immigration imminent immune immunity immunology imogen impact impeachment imperial
implement implementation implemented implementing implications import importance important imported imports impose imposed
imposing impossible impoverished impressed impression impressions impressive imprisoned imprisonment improv improve improved
improvement improvements improving imso in inaugural inauguration inbox incense incentives inch inches incident incidents
include included includes including income incorporated increase increased increases increasing increasingly incredible
incubator incumbent indeed independence independent independently index india indian indiana indianapolis indians indicate
indicated indicates indicating indication indicators indicted indictment indies indigenous individual individuals indonesia
indonesian indoor indoors indore induction industrial industries industry ines inevitable infantry infected infection
infections infirmary inflatable inflation influence influenced influences influential inform informal information informed
informing infrastructure ingredients ingrid inhabitants inhaler inhalers inheritance inherited initial initially initials
initiated initiation initiative initiatives inject injected injection injections injera injured injuries injuring injury ink
inks inmates inn inna inner inning innings innit innocent innovation innovative input inquest inquests inquiry ins insane
insecticide insects inshallah inside insides insist insisted insisting insists insoles insomnia inspection inspections
inspector inspectors inspiration inspired instacart instagram install installation installed instalment instalments instance
instant instead institute institution institutional institutions instruction instructions instructor instructors instrument
instrumental instruments insufferable insulin insulins insult insulted insults insurance insured insurers insurgency insurgent
insurgents intact intake integrals integrated integration integrity intel intellectual intelligence intend intended intends
intense intensified intensity intensive intent intention intentions inter interactive interest interested interesting
interests interfax interference interim interior intern internal internals international internationally internet interns
internship internships interpretation interpreter interpreting interrupt interrupted intersection interstate interval
intervals intervene intervention interview interviewed interviews intimacy into intramural intramurals intro introduce
introduced introducing introduction intrusive invaded invasion invented inventories inventory inverness invest invested
investigate investigated investigating investigation investigations investigators investing investment investments investor
investors invigilator invitation invitations invite invited involve involved involvement involves involving ioc iodine ion
iowa ipad ipoh ira iran iranian iraq iraqi iraqis ireland irish irl iron ironed ironic ironing irons irony irrigation is ish
isha isla islam islamabad islamic islamist island islands isnt isolated isolation israel israeli israelis issue issued issues
issuing istanbul it italian italians italy itar itches itchy itd item items itll its itself iv ivan ive ivory iwant izmir j ja
jab jabs jacaranda jacarandas jack jacket jackets jacks jackson jacob jacques jaffa jail jailed jakarta jalebi jam jamaica
jamal james jamie jammed jams jamun jan jane janet janitor january japan japanese jar jars jas jasmine jason java javelin
javier jaw jaws jay jaz jazz jc je jealous jean jeans jeep jeff jefferson jeffrey jello jelly jellyfish jennifer jeremy jerome
jerry jersey jerusalem jess jesse jesus jet jets jetty jewellery jewelry jewels jewish jews ji jiang jie jigsaw jigsaws jihad
jim jimmy jin jingle jinx jitsu jiu jmp jo joan joaquin job jobless jobs joburg jodie jodies joe joel joggers jogging
johannesburg john johnny johns johnson join joined joiner joining joins joint jointly joints joist joke joked jokes joking
jollof jolly jomar jon jonah jonas jonathan jones jonestown jong jonno jonnos joost jordan jordanian jordans jorge jos jose
joseph josh josie journal journaling journalism journalist journalists journals journey joy joyce jst juan jubilee judas jude
judge judgement judges judgment judgments judicial judiciary judo jug juggle juggling juice jules julia julian julie julienne
juliet july jum jummah jummp jump jumpd jumped jumper jumpers jumpin jumping jumps jumpt jumpy jun junction june jungle junior
juniors junta jurisdiction jurisprudence jurors jury jurys jus juss just justice justices justify justin juventus k ka kabab
kabila kabul kadhi kah kai kale kamikaze kandahar kandy kane kanji kansas kant kaput karachi karadzic karak karaoke karen
karenina karim karl kart karzai kashmir kasi kasia kat kate katrina kaya kayak kayla kaylee kayleigh kazakhstan kazoo keats
kebab kebabs keen keep keeper keepers keeping keeps keisha keith kelewele kelly kelp kelsey ken kena kenji kenkey kennedy
kenneth kenny kent kentucky kenya kenyan kept kerala kerb kerosene kerry ketchup kettering kettle kettles kev kevin kevs key
keyboard keynes keyring keys kez kg khala khalas khan kharkiv khartoum kheer khichdi khmer khuda kia kick kickabout kickboxing
kicked kicking kicks kid kidding kidnapped kidnapping kidney kidneys kids kieran kierans kierkegaard kiil kil kild kiled
kiling kill killd killed killer killers killin killing killings kills kiln kilo kilograms kilometers kilometre kilometres
kilos kilt kilz kim kimbap kimchi kin kind kinda kinder kindergarten kindest kindly kindness kinds kinesiology kinetics king
kingdom kings kingston kiosk kirsty kiss kissed kisses kissing kisumu kit kitchen kitchens kite kitkat kits kitten kittens
kitty klil kll km kms kmt knackered knee kneel kneeling knees knelt knew knicks knife knifes knight knighthood knit knits
knitted knitting knives knock knocked knocking knocks knot knots know knowing knowledge known knows knoxville knuckle knuckles
kochi kofi koizumi kong korea korean koreans koshuis kosovo kota krakow krebs kremlin kuala kuba kumasi kurdish kurds kurta
kuwait kuya kwabena kwame kwames kway kyi kyle kyll kyoto kys l la lab label labeled labelled labelling labels labmate
labmates labor laboratory labour labrador labs lace laces lachie lack lacked lacrosse lad ladder ladders laddoos laden ladies
ladle lads lady ladys lag lagos lah lahore laid lain lake lakers lakes lakh laksa lakshmi lama lamb lambing lambings lambs
laminate laminated lamp lamps lan lance land landed landing landlady landladys landlord landlords landmark lands landscape
landslide lane lanes lang language languages lanka lankan lansing lantern lanterns lanyard lanyards lanzarote laos lap laps
lapse laptop laptops larder laredo large largely larger largest larne larry laryngitis las lasagna lasagne lasagnes laser
lashed lashing lass lassie last lasted lasting lasts latch late lately later lates latest latex lathe latin latino latte
latter latvia laudanum laugh laughed laughing laughs laughter launch launched launching launderette laundrette laundromat
laundry laundrys laura lauren laurent lausanne lava lavender law lawmaker lawmakers lawn lawnmower lawrence laws lawsuit
lawsuits lawyer lawyers lay layer layers laying lays lazarus lazy ld le lead leader leaders leadership leading leads leaf
leaflet leaflets league leagues leah leak leaked leaking leaks lean leaned leaning leans leap learn learned learning learns
learnt lease leash least leather leave leavers leaves leaving lebanese lebanon leches lecture lecturer lecturers lectures led
ledge ledger lee leeds leek leeks left leftist leftover leftovers leg legacy legal legalise legally legend legendary legends
legged leggings legislation legislative legislator legislators legislature legitimate lego legs lehenga lehman lei leicester
leiden leila leipzig leisure lekker lemon lemonade lemons lemsip lena lend lenders lending length lengths lengthy lens lenses
lent lentil lentils leo leon leonard leone lerato les less lesser lesson lessons let leter leters lethal letr lets letter
letterbox letterkenny letters letting lettuce leukaemia leuven level levels lever levy lewis lfie li liam liams liar liberal
liberation liberia liberty librarian library librarys libya libyan licence license licensed licenses lick licked licking lid
lidl lido lie lieberman lied lief lies lieutenant lif life lifeboat lifeboats lifeguard lifes lifestyle lifetime liff lift
lifted lifting lifts ligature light lighter lighthouse lighthouses lighting lightning lights like liked likely likes liking
likkle lil lilac lilies lille lily lima limb lime limerick limestone limit limited limits limp limping lin lincoln linda
lindqvist line linear lined linen lines lineup ling linguistics linh lining link linked linkedin linking links lino lion lions
lip lips lipstick liquid lisa lisbon list listed listen listened listener listeners listening listens listing lists lit
literal literally literary literature lithium lithuania litre litres litter little liu liv live lived lively liver liverpool
lives livestock livid livin living lizard lizards ljubljana llama llm lloyd lmao lo load loaded loading loads loaf loan loaner
loans loaves lobby lobbying lobster lobsters local locally locals located location locations loch lock lockbox lockdown locked
locker lockers locking locks lodge lodger loft log logbook logged logging logic login logistics logo logs lol lola lollipop
lolly london lone loneliness lonely long longer longest longing longtime loo look looked lookin looking lookout looks loom
loop loos loose lopez lor lord lorraine lorraines lorries lorry los lose loser losers loses losing loss losses lost lot lots
lottery lottie lotus lou loud louder loudest loudly loudspeaker loughborough louis louisiana lounge lous love loved loveliest
lovely lover lovers loves loving low lower lowered lowest lowkey lowri loyal loyalty lrt lubbock luca lucas lucia luck luckily
lucky lucozade lucrative lucy ludo lugaw luggage luis lukas luke lump lumps lumpur lunar lunch lunchbox lunches lunchtime lund
lung lungs luton luxembourg luxury lvie lviv lyf lyfe lyft lying lynch lynching lyon lyric lyrics m ma maam maastricht mac
macao macarena macaroni macbeth maccies macedonia mache machete machine machinery machines mackerel macro macroeconomics mad
madam madame maddie made madison madness madonna madrid maelle magazine magazines magenta maggi maghrib magic magician
magistrate magnesium magnet magnets magnificent magnitude magnolia magpie mahathir mahjong mahmoud mahself maid mail mailbox
mailed mailing mailman mails main maine mainland mainly mainstream maintain maintained maintaining maintains maintenance mair
maize major majority majors make maker makers makes makeup making malaria malawi malaysia malaysian male males maliki mall
malmo malt malta mam mama maman mamas mamaw mammy mammys mams man manage managed management manager managers manages managing
manchester mandarin mandate mandatory mandazi mandela mandem mandeville mandir mandoline manga mango mangoes mangroves
manhattan maniac manila manipal mannequin manner manners manning mans mansion manslaughter mansoura manual manuel manufactured
manufacturer manufacturers manufacturing many map maple mapping maps maracas marathon marathons marble marbles marc march
marched marching marco marcus mare marek margaret margate margin margins marguerite maria marie marijuana marine mariners
marines mario marisol maritime mark marked marker markers market marketing marketplace markets marking marks marmalade marmite
maroon marquee marriage married marrow marrows marry marrying mars marshall marshmallows mart marta martha martial martin
martinez marty marvellous mary maryland marzipan mas mascara masel mash mashallah mashed masjid mask masks mason mass
massachusetts massacre massage massive mast master masters mat matatu match matched matches matching mate mateo material
materials maternity mates math mathematics maths matinee matric matrices matriculation matrix matron mats matt matteo matter
matters matthew mattress mattresses mature maureen mausi maw max maximum may mayas maybe maynooth mayo mayor mba mbbs mc
mccain mcdonald mcdonalds mcflurry me meal meals mean meaning means meant meantime meanwhile measure measured measurements
measures measuring meat meatballs meatloaf mechanical mechanics mechanism med medal medals media median medic medical medicare
medication medicine medicines medics mediction medieval meditation mediterranean medium meds medvedev medz mee meera meet
meeting meetings meets meg megabus megan meh mehmet mehndi mei mek melbourne mellophone melon melt meltdown melted melting
melts member members membership meme memes memo memoir memorial memories memory memos memphis men mend mended menemen
meningitis mens mensa mensah mental mentally mention mentioned mentioning mentor mentors menu menus mercedes merchant mercury
mercy mere merely merged merger merhaba merit merkel merrill mes meself mesh meslf mess message messaged messages messaging
messed messing messy met metal metals metaphor meteor meter meters method methodist methodology methods metre metres metro
metronome metropolitan mets mexican mexico mi miami mic mice michael michel michelle michigan mick micra micro microbiology
microeconomics microphone microscope microsoft microwave mid midday middle middlemarch middling mideast midfielder midges
midnight midterm midterms midwest midwife midwifery might mightve migraine migraines migrants migration miguel mija mijo mike
mikhail mil milan mild mile mileage miles militant militants military militia militias milk milking milkman milks milkshake
milkshakes mill millennium miller millers milligrams millimetres million millions mills milo milosevic milton milwaukee min
mina mince mind minded minding minds mine minecraft mined miner mineral miners mines ming minh mini minibus minimal minimalist
minimum mining minister ministerial ministers ministries ministry minneapolis minnesota minor minorities minority minors mins
mint mints minus minute minutes miracle mirpur mirror mirrors mis misc miscarriage miself miserable misery miss missed misself
misses missile missiles missing mission missions mississippi missouri missus mist mistake mistakes mister mistress mitchell
mitochondria mitsubishi mix mixed mixer mixing mixture mm mme mnemonic mo moan moaned moaning mob mobile mobility mock mocks
mod mode model modelling models moderate modern modest modified mods module modules mohamed mohammad mohammed moi moin moira
molar moldova mole moles molly molokhia mom mombasa moment moments momentum momo momos moms monastery monday mondays monetary
money moneys mongolia monica monitor monitoring monitors monk monkey monkeys monks mono monologue monopoly monoxide monsieur
monster monstera monsters montana montenegro montgomery month monthly months montreal monument moo mood moods moody moon moons
moor moore moors moose moot mooting mop moped moping mopped morag moral morbid more moreover morgan morning mornings morocco
morphine morra morris mortal mortality mortar mortgage mortified mortifying mortuary morven mos moscow moslem mosque mosquito
mosquitoes moss most mostly mot motel moth mother mothers moths motion motivated motivation motor motorbike motorcycle motors
motorway mould mount mountain mountains mounted mounting mourn mourning mouse moustache mouth mouthful mouths move moved
movement movements moves movie movies moving mower mozambique mp mph mps mr mri mrs mrt ms msc mself mtv mubarak much muck mud
muddy muffin muffled mug mugabe mugged mugs muhammad mulled mullingar multan multi multinational multiple mum mumbai mumbling
mummy mummys mums mun munich municipal municipalities municipality muppet mural murder murdered murderer murdering murders
murphy murray murukku muscat muscle muscles museum museums musharraf mushroom mushrooms music musical musician musicians
muslim muslims must mustache mustard mustnt mustve mute muted muttering mutual my myanmar myelf myers mysefl mysel myself
myselfs mysellf mysilf myslef myslf mysterious mystery myth n na naan nacho nachos nadal nadia nae naebody nagpur nah nail
nails nain naira nairobi naked nakuru naloxone naman namaste name named namely names naming nan nana nanas nanay nancy nandos
nani nanny nans nantes naomi nap napkin napkins naples nappies nappy naps narrative narrator narrow narrowboat narrowed
narrowly nasa nasal nascar nasdaq nashik nashville nasty nathan nation national nationalist nationally nationals nations
nationwide native nativity nato natter natural naturally nature nav naval navigation navy naw nazi nazis nba nbc ncaa near
nearby nearer nearest nearly neat neatest neatly nebraska necessarily necessary neck necklace necks nee need needed needing
needle needles neednt needs negative negotiate negotiated negotiating negotiations negotiator negotiators neh neighbor
neighborhood neighborhoods neighboring neighbors neighbour neighbourhood neighbouring neighbours neil neither nelson nepa
nepal nephew nephews nerve nerves nervous nest nested net netanyahu netball netflix netherlands nets netting network networks
neutral neva nevada never nevertheless new newborn newcastle newest newly news newsletter newspaper newspapers newt next nfl
ngl ngozi nhl nhs ni nia niaje niamh nice nicely nicer nicest nicholas nick nicked nicking nickname nicolas nicole niece
nieces nife niger nigeria nigerian night nighter nightie nightmare nightmares nights nightstand nikah nikkei nil nina nine
nines nineteen nineteenth nineties ninetieth ninety ninth nissan nit nite nitrogen nits nixon nkechi nn no noah nobdy nobel
noble nobody nobodyd nobodyll nobodys nod nodded nodding noise noises noisy nollywood nominated nomination nominations nominee
nomore non none nonetheless nonna nonprofit nonsense noodle noodles noon noone noor noose nope nor noreen norfolk normal
normally norman norovirus north northeast northeastern northern northwest northwestern norway norwegian norwich nos nose
nosebleed noses nosy not notable notably notary note notebook notebooks noted notes nothin nothing nothings notice noticeboard
noticed notices noticing noting notion notorious nought noughts nova novak novel novels november novena novi now nowhere nowt
ns nsfas nt nuclear nuff nuggets nuh nuisance numb number numbers numerous numpty nun nuns nurse nursery nurses nursing nut
nutrition nuts nvr ny nyeri nyt nytol o oak oakland oar oat oatmeal oats obama oban obey obituaries obituary object objections
objective objectives objects obligation obligations obliged oboe obs observation observations observatory observed observer
observers observing obsessed obstacles obtain obtained obvious obviously occasion occasional occasionally occasions occupation
occupational occupied occur occurred occurs ocd ocean och oclock oclocks october octopus odd oddly odds oding of off offended
offense offensive offer offered offering offers office officer officers offices official officially officials offline offset
offshore offside offstage often oga oh ohio ohms oi oil oiled oisin ok okafor okay oklahoma okonkwo okra oksana ola old older
oldest oldham olds olive oliver olives ollie ollies olmert olu oluwaseun olympic olympics omagh omaha omar omelette omg on
onalive once one oned ones onesie ongoing onigiri onion onions online only ontario onto ooh oom oops oot op ope opec open
opened opener opening openings openly opens opera operate operated operates operating operation operational operations
operator operators ophelia ophelias opinion opinions opponent opponents opportunities opportunity oppose opposed opposes
opposing opposite opposition optician opticians optimism optimistic option optional options optometry or ora oral orals orange
oranges orbit orchard orchestra orchids order ordered ordering orderly orders ordinary ore oregon org organ organic
organisation organisations organise organised organising organist organization organizations organize organized organizers
organizing organs orgo orientation oriented origin original originally originated origins orion orkney orla orlando orleans
orthodox os osaka osama oscar osce oscilloscope osei oskar oslo other others otherwise otieno otis ottawa otter otters ottilie
ottoline ottoman ouch oud ought oui oul oulu ounce our ours ourselves ousted out outbreak outcome outdoor outer outfit outfits
outgoing outing outlet outlets outline outlook output outrage outright outs outside outskirts outstanding oval ovation
ovderdose oven ovens over overall overalls overboard overcome overdoes overdos overdosd overdose overdoses overdosing overdoze
overdraft overdue overhaul overnight overpass overs overseas oversee oversight overslept overtime overtook overwhelmed
overwhelming ovrdose ow owe owed owen ower owes owing owl owls own owned owner owners ownership owns owt ox oxfam oxford
oxygen oya oyelaran oyster oysters p pa paa pace pacific pack package packages packaging packed packet packets packing packs
pact pad paddington paddle paddleboard paddling paddock paddy paddys padlock pads paediatrics paeds paella page pager pages
paid pain painful paining painkiller painkillers painless pains paint paintball painted painter painting paintings paints pair
paired pairs paiseh paisley pajama pajamas pakistan pakistani pakoras pal palace paladin palaeography pale palestine
palestinian palestinians pallet pallets palliative palm palmer palms palpitations pals pamphlet pan panadol panama pancake
pancakes pancit panda pane paneer panel panels panic panicked panicking panics panini pans panto pantry pants pao paola paolo
pap papa papas papaya paper papers paperwork papier par paracetamol parachute parade paragraph paragraphs paraguay parallel
paramedic paramedics paramilitary parapet parasites parasitology paratha parcel parcels pardon parent parents paring paris
parisa parish park parked parker parkin parking parkings parks parliament parliamentary parmi parrot parrots parsley part
partial partially participant participants participate participated participating participation particular particularly
parties parting partisan partly partner partners partnership parts party partys paso pass passage passcode passed passenger
passengers passes passing passion passionate passive passport passports password passwords past pasta pastas paste pasties
pastor pastoral pastors pastry pasty pat patch patches patel patent path pathologist pathology paths pathway patience patient
patients patio patrick patriots patrol patrols patted pattern patterns patting patty paul pauline paulo pause paused pav
pavement pavlova paw pay payday paying payment payments payn payout pays pc pdf pe pea peace peaceful peacefully peacekeepers
peacekeeping peach peaches peak peaked peaks peanut peanuts pear pearl pearls pears peas peat pecan peckham pedal pedals
pedestrian pedro pee peed peel peeled peeler peeling peer peg pelau pellets pen penalties penalty penang pence pencil pencils
pending pendulum penguin penguins peninsula penknife penn pennsylvania penny pens pension pensioner pensioners pentagon people
peoples peoria pepper peppermint peppermints peppers per peradeniya perceived percent percentage perception peres perez
perfect perfectly perform performance performances performed performers performing perfume perhaps period periodic periods
perish perished perm permanent permanently permission permit permits permitted perry persian persimmon persimmons persistent
person personal personality personally personnel persons perspective persuade persuaded persuasive perth peru peshawar pesos
pest pesticide pesto pet pete peter petersburg petition petra petrol petroleum petrols pets petty pew pg pga pgce ph pharm
pharmaceutical pharmacies pharmacist pharmacology pharmacy phase phd phenomenon phew phil philadelphia philip philippa
philippine philippines phillips philosophical philosophy pho phoenix phone phoned phones phonetics phonics phoning photo
photocopier photocopy photograph photographed photographer photographs photography photos photosynthesis phq phrase physical
physically physician physicians physics physio physiology physios pi piaget pianist piano piccadilly pick picked picking
pickle pickled pickles picks pickup picnic pics picture pictured pictures picturing pie piece pieces pier pierce pierced
piercing pierogi pierre piers pies pig pigeon pigeons pigs pike pilar pilau pile piled piles pilgrims piling pill pillar
pillow pillowcase pillows pills pillz pilot pilots pils pilss pilz pin pinch pinched pinches pine pineapple ping pink pinned
pinning pins pint pints pioneer piotr pip pipe pipeline pipes pipette pipetted pipettes pipetting pirate pirates pistachio
pistol pit pitch pitched pitcher pitches pitching pits pittsburgh pity pivot pixel pizza pizzas place placed placement
placements places placing plague plagued plain plainly plains plait plaited plaits plan plane planes planet planing plank
planks plankton planned planner plannin planning plans plant plantain planted planting plants plaque plasma plaster
plasterboard plasters plastic plate plates platform platforms plath play played player players playing playlist playoff
playoffs plays playstation plaza plc plea pleaded pleas pleasant please pleased pleasure pledge pledged pledges pledging
plenty plese plexus plna plo plot plots plovdiv pls plug plugged plugs plum plumber plumbing plums plunge plunged plus
plymouth plz pm png po pocket pockets podcast podcasts poem poems poet poetry poets poha point pointe pointed pointer pointing
pointless points poised poison poisoned poisoner poisoning poisonings poisons poisson poke poked pokemon poker poland polar
pole poles poli police policeman policemen policies policy polis polish polished polite politely politeness political
politically politician politicians politics poll polling polls pollution polo polos poly polymers pon pond pong pongal pontoon
pony poodle pool pools poor poorest poorly pop popcorn pope popped popping poppy pops popsicle popular popularity populated
population populations por porch pork porridge port portal porter porters portfolio portfolios portion portions portland porto
portrait portrayed portrush ports portugal portuguese pose posed posh position positions positive possession possibilities
possibility possible possibly possum post postal postcard postcards postcode postdoc posted poster posters postgrad
postgraduate posting postman postponed posts postseason posture pot potassium potato potatoes potential potentially potluck
pots potted potter pottery potty poultry pound pounding pounds pour poured pouring pours poverty powder powell power powered
powerful powerpoint powers pox ppl prac practical practically practicals practice practiced practices practicing practicum
practise practised practises practising pradesh prague praise praised pram prata prawn prawns pray prayed prayer prayers
praying prays pre preach preached preacher preceptor precious precise precisely predecessor predict predicted predominantly
prefer preferred pregnancy pregnant preliminary prelims premier premiere premiered premiership premium prep preparation
preparations prepare prepared preparing prepped prescribed prescription prescriptions presence present presentation
presentations presented presenting presents preservation preserve preserved presidency president presidential presidents press
pressed pressing pressure pressures prestigious preston pretend pretended pretending pretends pretoria pretty pretzel pretzels
prevent prevented preventing prevention previous previously price priced prices pricing pricked pride priest priests primarily
primark primary prime prince princess princeton principal principle principles pringles print printed printer printing
printmaking prints prior priorities priority prison prisoner prisoners prisons priti prius privacy private privately prix
priya priyanka priyas prize pro probability probably probation probe problem problems procedure procedures proceed proceedings
proceeds process processes processing procession proclaimed procrastination produce produced producer producers produces
producing product production productions productive productivity products prof profession professional professionally
professionals professor professors profile profit profitable profits profs program programme programmed programmes programming
programs progress progressive prohibited project projected projections projector projects proliferation prom prominent promise
promised promises promising promote promoted promoting promotion prompted prompting pronounce pronounced pronouns
pronunciation proof proofs prop propaganda proper properly properties property prophet proportion proposal proposals proposed
propped props pros prose prosecco prosecution prosecutor prosecutors prospect prospects prosperity protect protected
protecting protection protective protein protest protestant protested protesters protests protocol protocols prototype proud
prove proved proven proverb provide provided provider providers provides providing province provinces provincial provision
provisional provisions provocation prune pruning pryce ps psalm psalms psych psychiatric psychiatrist psychiatry psychological
psychologist psychology psychosis pt pub public publication publications publicity publicly publish published publisher
publishers publishing pudding puddings puddle puebla puerto puff puffed puffins puffy pugh puja puked pull pulled pulling
pulls pulse pump pumped pumping pumpkin pumpkins pumps pun punch punchbag punched punches punching puncture pune punish
punished punishing punishment punjab punjabi pupils puppet puppets puppies puppy puppys pups purchase purchased purchases
purchasing pure purely puri purple purpose purposes purse pursue pursued pursuing pursuit push pushchair pushed pushes pushing
put putin puts putt putting putty puzzle pyjama pyjamas pylons pyongyang pyramid python q qaeda qaida qatar quad quake quaker
qualified qualifier qualify qualifying quality quantitative quantity quantum quarrel quarry quarter quarterback quarterfinals
quarterly quarters quartet quay quays que quebec queen queens queensland queijo quest question questioned questioning
questionnaire questionnaires questions queue queued quiche quick quicker quickest quickly quid quiero quiet quieter quietly
quilt quince quit quite quits quitting quiz quizzes quota quotas quote quoted quotes quoting quran r ra rabbi rabbis rabbit
rabbits rabin raccoon race raced races rachel racial racing racism rack racket racks radar radiation radiator radiators
radical radio radiography radios raeped rafael raffle rag rage ragged raging rahman raid raiders raids rail railcard railing
railings railroad rails railway railways rain rainbow raincoat rained raining rains raise raised raises raisin raising raisins
rajma rallied rallies rally ralph ram ramadan ramallah ramble rambling ramen rammed ramos ramp ran ranch rand random randy
rang range ranger rangers ranging rank ranked ranking rankings ranks rant rap rapd rape raped rapid rapidly rapper rare rarely
rash rasor raspberry rat rate rated rates rather rating ratings ratio rationing ratios rats ratty ravi ravioli raw ray raymond
rays razar razer razor razors rbi re reach reached reaches reaching reaction reactions reactor read reader readers reading
readings readme reads ready reagan real realise realised realistic reality realize realized really realy reaper rear reared
rearranged reason reasonable reasons rebel rebellion rebels reborn rebound rebounds rebuild rebuilding rebuilt rec recall
recalled recalls recasts receipt receipts receive received receiver receives receiving recent recently reception receptionist
recession recife recipe recipes recital recitation recite reciting reckon reckoning reckons recognise recognised recognition
recognize recognized recommend recommendation recommendations recommended reconciliation reconstruction record recorded
recorder recording recordings records recover recovered recovering recovery recreation recruited recruiting recursion
recycling red reddit redlining redo redoing redone reds reduce reduced reducing reduction reductions reece reed reeds reef
reel ref refectory refer referee reference references referencing referendum referred referring refers refill reflect
reflected reflecting reflection reflections reflective reflects reform reforms refresh refresher refreshing refrigerator
refuge refugee refugees refund refusal refuse refused refuses refusing reg regain regard regarded regarding regardless regards
regatta regime regiment region regional regionals regions register registered registers registrar registration registry rego
regression regret regrets regs regular regularly regulation regulations regulators regulatory rehab rehabilitation rehearsal
rehearsals rehearse rehearsed rehearsing rehomed reid reign reindeer reiterated reject rejected rejection rejections rejects
relapsed related relating relation relations relationship relationships relative relatively relatives relax relaxed relaxing
relay release released releases releasing relevant reliable relief relieved religion religious reluctant rely remain remainder
remained remaining remains remarkable remarks rematch remember remembered remembers remembrance remind reminded reminder
reminders remortgaged remote removal remove removed removing renaissance renal renamed renew renewable renewal renewed
renewing renowned rent rental rented renting rents reopened rep repair repaired repairs repast repeat repeated repeatedly
repeats replace replaced replacement replacing replaying replied replies reply replying report reported reportedly reporter
reporters reporting reports repotted represent representation representative representatives represented representing
represents republic republican republicans reputation request requested requests requiem require required requirement
requirements requires requiring res rescue rescued rescuers research researcher researchers researching reservation
reservations reserve reserved reserves reservist reservoir reset residence residency resident residential residents residing
resign resignation resigned resilience resist resistance resit resits resolution resolutions resolve resolved reson resons
resort resource resources respawn respect respected respectful respectfully respective respectively respiratory respite
respond responded respondent responding response responsibilities responsibility responsible rest restart restaurant
restaurants rested restful resting restock restoration restorative restore restored restoring restricted restrictions
restrictor restructuring rests result resulted resulting results resume resumed resumption resurrected resus resuscitate
retail retailer retailers retain retained retainer retaining retake retaliation retire retired retirement retiring retreat
return returned returning returns reuben reunion reveal revealed reveals revenge revenue revenues reverse reversed reversing
review reviewed reviewer reviewing reviews revise revised revising revision revisions revival revive revived revolt revolution
revolutionary revolver reward rewrite rewriting rewritten rewrote reynolds reza rhetoric rhiannon rhodri rhubarb rhyl rhyme
rhys rhythm rib ribbon ribbons ribs rica rice rich richard richardson richmond rick rico rid ride rider riders rides ridge
ridiculous riding rifle rifles rig rigged rigging right rightly rights rigs rim ring ringed ringers ringgit ringing rings
ringtone rink rinse rinsed rio riot riots rip ripped ripper rippin ripple rise risen rises rishta rising risk risks risky
risotto rist rists rite rites ritual rival rivalry rivals river rivers rlly rly rn road roadkill roads roadside roadworks
roared roaring roast roasted roasting roasts rob robbed robbers robbery robbie robe robert roberto roberts robertson robes
robin robins robinson robot robotics robots robust rock rocket rockets rocking rocks rocky rod rode rodriguez roger rogers roh
rohan roisin role roles roll rolled roller rolling rolls roma roman romance romania romanian romans romantic rome romeo romney
ron ronald roo roof roofer roofs rooftop rooftp rooibos rookie room roomie roommate roommates rooms roon roosevelt rooster
root rooting roots rope roped ropee ropes rory rosa rosario rosary roscommon rose roses rosie rosin ross roster rot rota rotas
rotation rotations rotc rotherham roti rotis rotisserie rotten rotterdam rouge rough roughly round roundabout roundabouts
rounds route router routes routine routinely rover row rowed rower rowers rowing rows roy royal royce rub rubbed rubber
rubbing rubbish rubble rubin ruby ruck rucksack rude rug rugby rugbys ruin ruined ruins rukhsana rule ruled ruler rules ruling
rum rummy rumors rumour rumsfeld run rung runner runners running runs runway rupees rupert rupiah rural rush rushed rushing
rusks russell russia russian russians rust rusty ruth rutter rwanda rwandan ryan rye s sa sabbatical sabzi sachs sack sacked
sacks sacramento sacred sacrifice sacrificed sad saddam saddest saddle sadly sadness sadr safe safeguarding safely safer
safety saffron saga sage sahib said sailed sailing sailor sailors sainsburys saint saints sake salaam salad salam salamanca
salamander salamat salaries salary sale salem sales salesman salmon salon salsa salt saltfish salts salty salut salute saluted
salvador sam samaritans samba sambar same samosa samosas sample samples sampling sampras sams samuel samurai san sana sanchez
sanctions sand sandals sanders sandra sandwich sandwiches sandy sane sang sanjay sank sanne sans santa santiago santos sao
saoirse sapporo sarah sarajevo sardine sardines saree sarge sari sarkozy sars sasa sash saskatoon sat satellite satisfactory
satisfied satisfying satnav satsuma satsumas saturday saturdays saturn sauce saucepan saucer sauces saudi sauna sausage
sausages savage savannah save saved saves saving savings saw sawa say sayin saying says scab scaffold scaired scalded scale
scales scalp scalpel scalpels scan scandal scandals scanned scanner scanning scaphoid scar scard scare scared scares scarf
scarfs scaring scars scarves scary scattered scenario scenarios scene scenes schedule scheduled scheduler scheme schnitzel
scholar scholars scholarship school schoolboy schoolkids schools schroeder schubert schumacher schumann schwarzenegger sci
science sciences scientific scientist scientists scissors scold scolded scone scones scoop scooped scooter scope score scored
scorer scores scoring scotch scotland scott scottish scouse scout scouts scrabble scrap scrape scraped scraps scratch
scratched scratches scratching scream screamed screaming screams screen screened screening screens screenshot screenwriting
screw screwdriver screws scribe script scripts scroll scrolling scrub scrubbed scrubs scrum scrutiny sculpture se sea seagull
seagulls seal sealed seals seam sean search searched searching seas seasick seaside season seasons seat seatbelt seating seats
seattle seaweed sebastian sec second secondary secondhand seconds secret secretary secretly secrets sectarian section
sectioned sections sector sectors secular secure secured securing securities security see seed seeded seeds seeing seek
seeking seeks seem seemed seemingly seems seen sees sefl segment seh seize seized seizure seizures selam select selected
selection self selff selfharm selfharmd selfharmed selfharming selfharms selfie selfish sell selling sells selly selv sem
semester semi semicolon semifinal semifinals seminar seminars semiotics semis sen senate senator senators send sending sends
seneca senegal seng senior seniors senora sense sensible sensitive sensor sensory sent sentence sentenced sentences sentiment
sentimental seoul separate separated separately separation separatist separatists september sequence serb serbia serbian serbs
sergeant sergei serial serie series serious seriously sermon sertraline servants serve served server servers serves service
serviced services serving servo session sessions set setback sets settee setting settings settle settled settlement
settlements settlers settles settling seven seventeen seventeenth seventh seventies seventy several severe severely sew sewed
sewercidal sewercide sewerslidal sewerslide sewing sewn sewyside sex sexual sexually sh sha shade shadow shadowed shadowing
shaft shah shake shaken shakes shakespeare shaking shakshuka shaky shall shallow shame shamed shampoo shan shanelle shanghai
shanice shannon shant shape shaped shapes share shared shareholder shareholders shares sharif sharing sharjah shark sharks
sharon sharp sharpened sharpener sharpening sharper sharpie sharply sharps shattered shave shaved shaving shaw shawarma shawl
shaz she shears sheath shed shedding sheds sheep sheepskin sheet sheets sheffield sheikh sheila shelf shell shelling shells
shelter shelters shelves shenzhen shepherd shepherds sheriff sherry shes shield shift shifted shifting shifts shiite shin
shiner shingles shining shins shinty shiny shiok ship shipments shipped shipping ships shipwreck shipwrecks shiraz shirley
shirt shirts shivering shld shock shocked shocker shocking shoe shoebox shoes shona shook shoot shooter shooting shoots shop
shopping shops shore short shortage shortages shortbread shorter shortest shortly shorts shostakovich shot shotgun shots
should shoulder shoulders shouldnt shouldve shout shouted shouting shouts shouty shoved shovel show showcase showdown showed
shower showered showering showers showing shown shows shredded shrek shreya shrieking shrimp shrine shropshire shrunk shu shud
shushed shut shuts shutters shuttle shy si sia sian siao siblings sick sickle sickness side sidelines sides sideways siege
siena sierra sigh sighed sighing sight sign signal signalling signals signature signatures signed significance significant
significantly signing signs silage silence silent silk sill silly silva silver sim similar similarly simon simone simple
simpler simply simpson simulation simulator simultaneously sin since sincere sinead sing singapore singed singer singers singh
singing single singles sings sinigang sink sinking sinks sinn sino siobhan sip sipho sir siren sis sister sisters sit site
sites sits sitter sittin sitting situated situation situations situationship six sixteen sixteenth sixth sixties sixtieth
sixty size sized sizes skared skate skateboard skated skates skating skeleton skeletons skeptical sketch ski skiing skill
skills skin skinned skins skint skip skipped skipping skirt skirting skis skool skull skulls skunked sky skye skylight skys
slab slack slain slalom slam slammed slan slanted slap slapped slapping slaps slash slate slated slates slaughter slaughtered
slave slavery slaves slayed sleap sleep sleepers sleeping sleeps sleepwalking sleepy sleet sleeve sleeved sleeves slef
slefharm slep slepe sleping slepping slept slice sliced slices slicing slid slide slides slideshow sliding slight slightly
sligo slime sling slip slipped slipper slippers slipping slips slit slobodan slog slope slot slough slovakia slovenia slow
slowdown slowed slower slowing slowly slug slugs sluice slump slurring slurry slush slushie small smaller smallest smart
smarties smash smashed smashing smear smell smelled smelling smells smelt smile smiled smiles smiley smiling smith smoke
smoked smokes smokies smoking smooth smoothie smoothies smores smth smug smuggling snack snacks snail snails snake snap
snapped snapping snappy sneakers sneeze sneezed sneezing sneha snickers sniffing sniper snooker snooze snore snored snores
snoring snorkel snorted snot snow snowball snowdon snowed snowing snowman snows so soak soaked soaking soap soared soaring
sobbed sobbing sober soc soccer sociable social socialist socially socials societies society societys sociology sock socket
sockets socks socrates sod soda sofa sofia soft softball softer softie softly software soggy soicidal soil soils soju solar
sold soldering soldier soldiers sole solely soles solicitor solicitors solid solidarity solo solution solutions solve solved
solvent somali somalia sombrero some somebody somebodyd somebodyll somebodys someday somehow someone someones somethin
something somethings sometime sometimes somewhat somewhere somme somthing son song songs sons sony soocide sooicide soon
sooner soothing soph sophisticated sophomore soppy soprano sorcha sore sorority sorry sort sorted sorting sorts sory sos
sought soul souls sound sounded sounding sounds soundtrack soup soups sour source sources sourdough sousaphone south southeast
southeastern southend southern southwest southwestern sovereign sovereignty soviet sox soy spa space spaces spade spaghetti
spain spam span spaniel spanish spanner spar spare sparked sparring spat spatter spatula speak speaker speakers speaking
speaks spear spec special specialist specialists specialized specially species specific specifically spectacular spectators
spectra spectrum speculation speech speeches speed spell spelled spelling spellings spelt spencer spend spending spends spent
spice spices spicy spider spiders spike spiked spikes spill spilled spin spinach spinal spine spinning spinoza spiral spirit
spirits spiritual spit spite spits spitting splash splashed splint splinters splinting splints split splits splitting spoil
spoiled spoiler spoilt spoke spoken spokesman spokeswoman sponge sponges sponsor sponsored sponsors sponsorship spoon spoons
sport sporting sports spot spotify spotless spotlight spots spotted spotter sprain sprained spray sprayed spraying spread
spreading spreadsheet spreadsheets spring springs sprint sprints sprite spud spuds spun spurs spy squad squadron square
squared squares squash squashed squeak squeaked squeaky squeeze squeezed squeezes squid squinting squirrel squirrels sri st
stab stabbed stabbing stabbings stability stable stabs stack stacked stacking stacks stadium staff stag stage staged stages
stain stained staining stair staircase stairs stairwell stake stakes stalking stall stalled stammer stamp stamped stamps
stance stand standard standards standing standings standoff stands stanford stank stanley staple stapler star stare stared
starfish staring starr starred starring stars start started starter starting starts starve starving stash state stated
statement statements states statics stating station stationed stationery stations statistic statistical statistics stats
statue status statute stay stayed staying stays steadily steady steak steal stealing steals steam steamboat steamed steaming
steel steep steering stellenbosch stellies stem stems step stepdad stepdads stepfather steph stephen stepmother stepmum
stepped stepping steps steri stern steroid steroids stethoscope steve steven stevens stew stewart stick sticker stickers
sticking sticks sticky stiff still stillborn stillwater stimulus sting stinging stings stink stinking stinks stipend stir
stirling stirred stitch stitched stitches stitching stock stockholm stocking stockings stockpiling stockport stockroom stocks
stocktake stoke stoked stole stolen stomach stomachs stone stones stood stool stop stopped stopping stops stopwatch storage
store stored storeroom stores storey stories storm stormed storms stornoway story storys stove stoves stovies straight
straightened straightener straighteners straightforward strain strained strait straits stranded strange strangely stranger
strangers strangest strangled strangling strangulation stranguled strap strapped strategic strategies strategist strategy
straw strawberries strawberry straws streak stream streaming street streets strength strengthen strengthened strengthening
strep stress stressed stressful stretch stretched stretcher stretches stretching strict strictly strike striker strikes
striking strimmer string strings strip stripe stripes stripped strips stripy stroke strokes strong stronger strongest
stronghold strongly struck structural structure structures struggle struggled struggles struggling stuart stubbed stubborn
stuck stud student students studied studies studio studios study studying stuff stuffed stuffing stuffs stung stunned stunning
stunt stupid stupidest style styles suacide sub subaru subject subjects subjunctive sublet submarine submarines submission
submit submitted subs subscribers subscription subscriptions subsequent subsequently subsidiary subsidies substance
substantial substantially substitute subtitles subtract suburb suburban suburbs subway succeed succeeded success successful
successfully succession successive successor succulents such sucicidal sucicide sucid sucidal sucide sucidial suck sucked
sucking sucks sudan sudanese sudbury sudden suddenly sudoku sue sued sueside suffer suffered suffering suffers sufficient
suffocate sugar sugars suggest suggested suggesting suggestion suggestions suggests suh suharto suhoor sui suicdal suicid
suicidal suicide suicidel suicides suicidial suicidle suicied suisidal suiside suislide suit suitable suitcase suitcases suite
suitemate suitemates suites suits sukuma sulk sulked sulking sullivan sultan sum summary summat summer summers summit sumone
sums sumthing sun sunburn sunburned sunburnt sunday sundays sunderland sunflower sung sunglasses sunk sunni sunniva sunny
sunrise suns sunset sunsets sunshine sup super superdrug superintendent superior supermarket supervised supervision supervisor
supervisors supper supplied supplier suppliers supplies supply support supported supporter supporters supporting supports
suppose supposed supreme sure surely surf surface surfboard surfers surfing surge surged surgeon surgeons surgery surgerys
surgical surname surplus surprise surprised surprises surprising surprisingly surrender surrendered surrey surrounded
surrounding surveillance survey surveyed surveying surveyor surveys survival survive survived survives surviving survivor
survivors susan suside suspect suspected suspects suspend suspended suspense suspension suspicion suspicious sustainable
sustained suu suya swahili swallo swallow swallowed swallowing swallows swalow swalowed swam swamp swan swans swansea swap
swapped swapping swear swearing swears sweat sweated sweater sweaters sweating sweaty sweden swedish sweep sweeping sweet
sweetest sweetheart sweets swell swelled swept swerved swift swim swimmer swimmers swimming swims swindon swine swing swings
swiss switch switched switching switzerland swollen sword swords swore sworn swung sydney sylhet syllabus sylvia symbol
symbolic symbols sympathy symphony symptoms syndicate syndrome synergy synthesis syria syrian syringe syrup system systems szn
t ta tab table tablecloth tables tablet tablets tablits tabs tac tack tackle taco tacoma tacos tactics tae tag tagalog tags
tail tailbone tailgate tailor tails taipei taiwan taiwanese tak take takeaway takeaways taken takeover takes taking takoradi
talaga tale talent talented tales taliban talk talked talker talkin talking talks tall taller tallest tallis tally tam tama
tamales tamarind tambourine tamil tampa tamsin tan tandem tang tangi tank tanker tanks tannie tannoy tanzania tap tape taped
taper tapering tapes taping tapioca tapped tapping taps tara target targeted targeting targets tariffs tariq taro tarp tart
tarts tartu tash tasha task tasks tass taste tasted taster tastes tattie tatties tattoo tattoos tau taught tax taxes taxi
taxis taxpayers tay taylor tb tbh tbilisi tea teabag teach teacher teachers teaches teaching teal team teammate teammates
teams teamwork teapot tear teared tearful tearing tears teary teas teatime tech technical technically technician technicians
technique techniques technological technologies technology ted teddy tee teen teenage teenager teenagers teens teeth teething
teh tehran tek tel telecom telecommunications telegram telenovela telephone telephoned telephones telescope televised
television tell telling tells tellt telly telt temper temperature temperatures template temple tempo temporarily temporary
tempted ten tenancy tenant tenants tenby tend tendai tender tenderness tendon tendons tenerife tenner tennessee tennis tenor
tenors tens tense tension tensions tensors tent tenth tents tenure teow term terminal terms terrace terrain terrible terribly
terrified terrifying terrifyingly territorial territories territory terror terrorism terrorist terrorists terry tesco test
testament tested testified testify testimony testing tests tetanus texas text textbook textbooks texted textile textiles
texting texts th thabo thai thailand thaksin than thandeka thank thanked thankful thanking thanks thanksgiving that thatd
thatll thats the theater theaters theatre theft their theirs them theme themes thems themself themselves then theo theology
theories theory theorys theos therapeutic therapist therapy there thereafter thereby thered therefore therell theres thermal
thermo thermodynamics thermometer thermos thermostat these thesis thessaloniki they theyd theyll theyre theyve thiago thick
thief thieves thigh thighs thin thing things think thinkig thinkign thinkin thinking thinkng thinks thinners third thirds
thirsty thirteen thirteenth thirties thirtieth thirty this thisll thnk thnking tho thomas thompson thomson thorn thorns
thorough thoroughly thort thorts those thot thots though thought thoughts thougts thouhgts thousand thousands thread threat
threaten threatened threatening threatens threats three threes threw thrift thrifting thrilled thriller thrilling thriving
throat throats throbbing throne throttled through throughout throughts throw throwing thrown throws thru tht thumb thumbs
thunder thurs thursday thursdays thus thuy thyme thyroid tia tibet tibetan tic tick ticked ticket tickets ticking tickled
ticks tidal tide tides tidied tidy tidying tie tied tier ties tiffin tiger tigers tight tights tiktok til tilapia tile tiles
till tills tilly tilt tim timber timbits time timed timeline timer timers times timetable timetables timing timor timothy tims
tin ting tingly tinned tins tiny tip tipped tips tire tired tiredness tires tiring tissue tissues tita titanic title titled
titles titration titrations tmr tmrw to toast toasted toaster toasters toastie toasties tobacco tobi tobias today todays todd
toddler toddlers toe toecaps toenail toenails toes toffee tofu together toilet toilets tok toke token tokyo told tolerance
toll tolu tom tomasz tomato tomatoes tomb tombstone tommorow tommy tomoro tomorow tomorro tomorrow toms ton tone tonght tongs
tongue tongues tonigh tonight tonihgt tonite tonnes tons tonsillitis tonsils tony tonyt too took tool toolbox tools tooth
toothache toothbrush toothpaste toothpick top topic topics topology topped topping tops torch torches tore torn tornado
toronto tort tortilla tortoise torts torture tosca toss total totaled totally tote tots touch touchd touchdown touchdowns
touched touches touching tough tougher toulouse tour toured touring tourism tourist tourists tournament tournaments tours tow
toward towards towed towel towels tower towers town towns township towpath toxic toxicity toxicology toy toyota toys trace
track tracked tracker tracking tracks tractor tractors trad trade traded trademark trader traders trades trading tradition
traditional traditionally traditions traffic trafficking tragedies tragedy tragic trail trailer trailhead trailing trails
train trained trainee trainer trainers training trainings trains traitor traitors tram trampoline trams transaction
transactions transcribe transcribing transcript transcripts transfer transferred transferring transformation transformed
transit transition transitional translate translated translating translation translator transmission transmitted transplant
transport transportation trap trapdoor trapped traps trash trattoria trauma travel traveled travelers traveling travelled
travelling travelodge travels tray trays treadmill treasure treasurer treasury treat treated treating treatment treatments
treaty tree trees tregaron trek trembling tremendous trench trend trends tres trevor trey triage trial trials triangle
triathlon tribal tribe tribes tribunal tribune tribute trick tricks tride tried tries trifle trigger triggered trillion trim
trimming trini trinidad trio trip triple triplets triplicate tripod tripods tripped tripping trips triumph trivia trod trolley
trolleys trombone tromsø trondheim troop troops trophies trophy tropical trot trotro trouble troubled troubles troubling
trough trousers troy truce truck trucks true truly trumpet trumpets trunk trust trusted trusts truth truthful truthfully
truths try trying tryna trynna tsunami tu tub tuba tube tubes tubs tuched tuches tuching tucson tudo tudor tudors tuesday
tuesdays tug tuition tuk tulips tulsa tumble tummy tumour tuna tunde tune tunic tunis tunnel tupperware turbine turbines
turbulence turf turkey turkish turmeric turmoil turn turned turner turning turnip turnout turnover turns turps turquoise
turtle turtleneck turtles tut tute tutor tutorial tutorials tutoring tutors tv tweezers twelfth twelve twelves twenties
twentieth twenty twice twin twins twirl twist twisted twitch twitching twix twixes two twos tying tylenol tyler type typed
types typhoid typhoon typical typically typing typo tyrant tyre tyrell tyres tyrone tyson u uae uber ucla uefa ugali uganda
ugandan ugh ugly uh uk ukraine ukrainian ukulele ulaanbaatar ulcer ultimate ultimately ululated um umbrella umbrellas umrah un
unable unacceptable unalife unaliv unalive unalived unaliving unanimously unbearable unbeaten unbelievable uncertain
uncertainty unchanged uncle unclear uncles unclipped unconscious undated under undergo undergrad undergraduate undergraduates
underground underlined underlying undermine underneath understand understanding understands understood understudy undertaker
underway underwear underwent undid undo undone unemployed unemployment unexpected unfair unfinished unfortunately unga unhappy
uni unicorn unidentified unified uniform uniforms uninstall union unions unique unis unit united units unity universal
universe universities university unknown unless unlike unlikely unlive unloaded unlocked unnamed uno unofficial unopened
unpack unpacked unpaid unpleasant unplugged unprecedented unread unreal unrest unsafe unsaid unscrewed unsubscribed
unsuccessful untied until unusual unusually unveiled unwell up upbeat upcoming update updated updates upgrade upgrading upload
uploaded upon upper uppsala upright uprising ups upset upside upstairs ur uranium urban urge urged urgent urges urging urn
uruguay us usa usage usc use used useful useless user users uses usher ushering using uss usual usually utah ute utilities
utility utrecht uzbekistan v va vacation vaccination vaccine vacuum vacuumed vacuuming vada vale valencia valentina valid
valley valuable value valued values valve vampire vampires van vanakkam vancouver vanilla vanish vanished vans vape varenyky
variations variety various varnish varsity vary vase vast vatican veg vegan vegas vegetable vegetables vegetarian vehicle
vehicles veil vein veins velvet vending venezuela venezuelan venison vent vents venture ventures venue venues venus vera
veranda verb verbs verdict verdicts vermont verse verses version versions versus vertical very vessel vessels vest vet veteran
veterans veterinary vetkoek veto vets vex via viaduct vial vials vibes vibing vicar vicars vice vicious vicks victim victims
victor victoria victorian victories victory video videos vienna vietnam vietnamese view viewed viewers viewing views vigil
viking vikram viktor villa village villager villagers villages villain vincent vindaloo vine vinegar vineyard vintage vinyl
viola violated violating violation violations violence violent violet violin violins virgin virginia virtual virtually virus
vis visa visas visible vision visit visited visiting visitor visitors visits visual vital vitamin vitamins viticulture viva
vivas vivid vladimir vocabulary vocal vocals vodka voice voiced voicemail voicemails voices void voila voivodeship vol
volatile volcano volcanoes volleyball volume volumes voluntary volunteer volunteered volunteering volunteers vomit vomited
vomiting von vote voted voter voters votes voting voucher vowed vowel vowels vs vulnerable w waakye waan waant wade waders
waek waffle waffles wage wages wagon wagwan wah wahala wailing waist waistcoat wait waited waiter waiting waitress waits
waiver wak wake wakes wakin waking wal walahi walao wales walk walked walker walkers walking walks walkway wall wallace wallah
wallahi wallet wallpaper walls walmart walnuts walsh walt walter waltz wan wana wander wang wanjiru wanna wannna want wanted
wanting wanto wants wantto war ward warden wardens wardrobe wards warehouse warfare warfarin warm warmed warmer warming warn
warned warner warning warnings warns warrant warren warriors wars warsaw wartime was wash washed washer washers washes washing
washington wasnt wasp wasps waste wasted wasting watch watchdog watched watches watching watchman watchmans water watered
watering watermelon waterproof waters watn watson wave waved waves waving wax way wayne ways we weak weakened weaker weakness
wealth wealthy wean weans weapon weapons wear wearing wears weather weathers weaving web webinar website wed wedding weddings
wedge wednesday wednesdays wee weed weedkiller weeds week weekday weekend weekends weekly weeks weep weeping weepy weetabix
weevils weh wei weigh weighed weighing weighs weight weighted weights weir weird weirdly weirdo welcome welcomed welded
welding welfare well wellbeing wellies welling wellington wellness wells welsh wen went wept were werent werther west western
wet wetsuit weve wey whack whale whales wharf what whataburger whatd whatever whatevers whatll whats whatsapp whatsoever
whatve wheat wheel wheelbarrow wheelie wheels wheezing when whenever where whereas wheres wherever whether which whichever
while whilst whip whippet whiskey whisky whisper whispered whispering whispers whistle whistled whistles whistling whitby
whitcombe white whiteboard whites whitney who whod whoever whoevers whole wholesale wholl whom whos whose whove why wi wichita
wicked wicket wickets wid wide widely wider widespread widow widower wife wifes wifi wifie wifis wig wigan wigs wihs wiht
wihtout wil wild wildlife will william williams willing willingness willow wills wilson wimbledon win wind winding windmill
window windows windowsill winds windscreen windy wine wines wing wings winked winner winners winning winnipeg wins winston
winter winters wipe wiped wipers wipes wiping wire wired wireless wires wiring wis wisconsin wisdom wise wish wished wishes
wishh wishing witch witches with withdraw withdrawal withdrawing withdrawn withdrew within withot without witness witnessed
witnesses witout wives wizard wnana wnat wnt wo wobble wobbly wojtek wok woke woken wolf wollongong wolverhampton wolves woman
womans women womens won wonder wondered wonderful wondering wonders wonderwall wonky wonna wont woo wood wooden woods woodwork
wool woolf worcester word wording words wore work worked worker workers working workload workout works worksheet workshop
worktop worl world worlds worldsources worldwide worm worming worms worn worried worries worry worrying worse worship worst
worth worthles worthless wot would wouldnae wouldnt wouldve wound wounded wounding wounds wow wrap wrapped wrapper wrapping
wraps wrath wreath wreck wrecked wren wrestling wrexham wright wring wrist wristband wrists write writen writer writers writes
writethru writing writings written wrocław wrold wrong wrongdoing wrongly wrote wrung wsh wto wu wud wumman wurld wurthless
wuthering x xanax xbox xinhua y ya yaar yah yahoo yale yall yam yams yang yankees yard yards yarn yasser yawn yawning yay ye
yeah year yearbook years yeats yeet yell yelled yelling yellow yellows yells yelped yeltsin yemen yen yep yer yes yesterday
yesterdays yet yew yield yields yin yo yoga yoghurt yoghurts yogurt yoh york yorkshire yorkshires you youd youll young younger
youngest your youre yours yourself yourselves yous youse youth youths youtube youve yu yuan yugoslav yugoslavia yuh yuki yusra
yusuf z zaatar zagreb zainab zaire zambia zaragoza zealand zebra zebrafish zelda zen zero zeynep zhang zhu zimbabwe zip zipper
zombie zombies zone zones zoo zoology zoom zuhr zumba łodz
`
    .trim()
    .split(/\s+/),
)
