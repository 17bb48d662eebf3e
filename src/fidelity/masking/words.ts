/**
 * Words of which messages about resources are made, besides those of the interface. They stay in messages; every other
 * word is replaced. No word that people choose as a password or a name is here.
 */
export const MESSAGE_WORDS: ReadonlySet<string> = new Set(
  `a about accepted access account action activated active activity add added after again all allow allowed
  already also an and another any api are argument array as at attempt authenticate authenticated
  authentication authorization authorized automatic available backup backups bad be because been before begun
  being between block body boolean but by call can cannot change changed characters cluster code completed
  condition configuration conflict connect connection contact contain contains could create created creating
  creation credit current currently database databases date day days default delete deleted deleting deletion
  denied deployed detail details did different disable disabled does done down due duplicate duration during
  each empty enable enabled end ended ending enough entries entry error every exceed exceeded exceeds exist
  existing exists expected expired fail failed failing fails failure field fields file find finished first for
  forbidden found from full gateway get given got greater group has have header health hour hours iam id idle if
  in incorrect instance instances integer internal into invalid ip is it item items its job json key last
  later least length less limit limits list loading long longer lost malformed many matching maximum may
  memory message method minimum minute minutes missing more most must name named names needed new newer no
  node nodes none not nothing now null number object of off old older on once one only operation operations
  optional or org organization other out over owner page parameter parameters parse part password path pause
  paused pausing pending per permission permissions permitted please policy possible present process
  processing progress provided provisioning query queued quota range rate reached read ready reason received
  refresh refreshed refreshing refused region rejected remaining remove removed request requested requests
  require required requires reset resize resized resizing resource resources response restart restarted
  restore restored restoring result resume resumed resuming retries retry role roles route run running same
  schedule scheduled schedules second seconds secret see server service set shorter should size snapshot so
  some started starting state status still stop stopped stopping storage string succeeded success successful
  successfully such support supported system terminated terminating termination than that the their them then
  there these they this time timed timeout to token too took try trying type unable unauthorized unavailable
  under unexpected unique unknown unsupported until update updated updating upgrade upgrading use used user
  users using valid validation value values version wait waiting was were what when where which while will
  with within without workgroup workgroups workspace workspaces would wrong yet you your zone`.split(/\s+/)
)

/** What messages are about. */
export const SUBJECTS: ReadonlySet<string> = new Set(
  `backup backups database databases entries entry job org schedule schedules user users workgroup workgroups workspace
  workspaces`.split(/\s+/)
)

/** What is said of a credential in a message, besides its name. */
export const TOLD_OF_CREDENTIALS: ReadonlySet<string> = new Set(
  `a accept an and api are as at authorization be bearer been by can cannot changed created deleted denied does empty
  exist expired field for from has have header incorrect invalid is it least long malformed may missing must new no not
  of operation or please provided refused rejected request required send session set short than that the this to too
  unable unauthorized updated user was were with without wrong you your`.split(/\s+/)
)
