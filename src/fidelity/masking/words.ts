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
  forbidden found from full gateway get given got greater group has have header health hour hours id idle if
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

/** Words of which names of fields and headers are made, besides those of messages. */
export const NAME_WORDS: ReadonlySet<string> = new Set(
  `absolute accepts acl ack actor actual address addresses admin after age agent agents alert alerts alias aliases
  allocated allocation amount annotation annotations anonymous answer api app append application applications apps
  arch architecture archive archived arn asn asset assets async at attachment attachments attribute attributes audit
  auth author auto autoscaling avatar average avg azs backend balance bandwidth base batch begin beta billed billing
  bind bits blob blocked bool boost brand browser bucket buckets budget build builds burst business bytes cache cached
  capabilities capability capacity card cards catalog catalogs category categories cert certificate certificates
  channel channels charge charges check checks checksum child children cidr cidrs city class classes cleanup client
  clients clock cloud cname codes collection collections column columns command commands comment comments commit
  company compatibility component components compressed compression compute concurrency conditions config configs
  connected connections console consumer container containers content context contract control controls cookie
  cookies coordinates copies core cores correlation cost costs count counter counters country counts coupon cpus
  credentials cron ctx cursor custom customer customers cycle daily data dashboard dataset deadline debug
  decimals dedicated definition degraded delay deliver delivery delta department dependencies deployment deployments
  depth desc description descriptor desired destination detected developer device devices diff dimensions direction
  directory discount disk disks display dns document documents domain domains download driver drop dry dynamic edge
  edges edition editions egress elapsed element elements email emails encoding encrypt encrypted encryption endpoint
  endpoints engine entities entity env environment environments ephemeral err errors estimate estimated etag eval event
  events evict exception exclude executed execution expiration expires expiry export exports expression extension
  extensions external extra facility factor failover failures family fault feature features fee feedback fetch fetched
  filename filter filters fingerprint firewall firewalls first fixed flag flags flavor flavour fleet folder folders
  force form format formatted forwarded fraction frame free freeze frequency function functions gateways generated
  generation geo global grace grade grant granted grants graph graphs grid groups guest handle handler hash headers heap
  heartbeat height hidden high history hits holder home hook hooks host hosted hostname hostnames hosts hot hourly href
  html http https iam icon identifier identities identity ids image images import imported inbound include included
  index indexes indexing info ingress initial inner input inputs install installed integration integrations interface
  interval intervals inventory invitation invoice invoices iops ips isolation issue issued issuer issues jobs join kind
  kinds kms label labels lag lang language languages last lat latency latest launch layer layout lead leader lease left
  legal length level levels library license licensed lifecycle limited line lines link linked links lists live lng load
  local locale location locations lock locked log logger logging logins logo logs lon low mail main maintenance major
  managed manager map mapping market master match max maxi mean media member members membership metadata meta method
  metric metrics middle migration migrations min minor mirror mode model models modified modifier module modules money
  monitor monitoring month monthly mount mounts move msg multi mutable namespace namespaces nat native net network
  networks next nonce note notes notification notifications num numbers offer offers offset on opened opens operator
  option options order ordered orders organisation organisations organizations orgs origin origins os outbound outcome
  output outputs overall override overrides overview owned owners package packages pages parent parents partial
  participant parts partition partitions patch paths patterns pay payment payments peak peer peering peers percent
  percentage performance period periods permission persistent person phase phone photo pipeline pipelines placement plan
  planned plans plugin plugins points policies pool pools port ports position postal preference preferences preferred
  prefix premium prev preview previous price prices pricing primary principal priority private probe probes processed
  processor product products profile profiles project projects promotion properties property protected protection
  protocol protocols provider providers provisioned proxy pub public published publisher purpose quality quantity
  queries queue queues quotas ram random rank rates rating ratio raw readiness reads real realm reasons rebalance rec
  records recurring redirect redundancy ref reference references refs refund regional regions register registered
  registration registry relations relationships release releases reload remote renewal renewed repair replica replicas
  replication repo report reporter reports repository reservation reserved resolution resolved retention
  returned revision revisions rights roll rollback root rotation round routes routing row rows rule rules runs runtime
  runtimes sales sample samples scale scaling scan schema schemas scope scopes score script search section security
  select selected selector self sent sequence serial servers services session sessions setting settings setup severity
  shape shard shards share shared shipping side signed signing single site sites skip sku slot slots slow slug snapshots
  socket sort source sources space spec specification specs speed spend sql src ssh ssl sso stack stage staging stale
  standby starts stat states static statistics stats statuses steps stopped stops store stored storages stream streams
  street strict string structure style sub subject subnet subnets subscription subscriptions subtotal suffix sum
  summary suspended swap sync synced syncing system systems table tables tag tags target targets task tasks tax taxes
  team teams telemetry template templates temporary tenant tenants term terms test tests text thread threads threshold
  throughput ticket tier tiers timeouts timestamp timestamps timezone title tls today tokens tool topic topics topology
  total totals trace tracing traffic transaction transactions transfer transition transitions transport tree trial
  trigger triggers truncated trusted ttl turn txn types uid ui unit units upcoming upload uploads upper uptime uri uris
  url urls usage username users utc utilization uuid valid variable variables variant vcpu vcpus vendor verified
  verify versions via view viewer views virtual visibility visible vm volume volumes vpc vpcs vpn warning warnings
  watch web webhook webhooks week weekday weekly weight weights whitelist width window windows word words work worker
  workers workflow workload write writes year zip zones`.split(/\s+/)
)

/** The same, with digits in them. */
export const WORDS_WITH_DIGITS: ReadonlySet<string> = new Set(
  `address1 address2 auth0 b3 base64 ec2 gp2 gp3 h2 h3 http2 ipv4 ipv6 k8s line1 line2 md5 oauth2 p3p p50 p90 p95 p99 s3
  sha1 sha256 sha512 utf8 x509`.split(/\s+/)
)
