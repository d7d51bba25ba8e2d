// Results of Ridgepoint links; docs/links.md of the project explains keys and fields.
// Written by `RIDGEPOINT_RECORD=1 cargo test -p ridgepoint-tests --test tidy declarations`.

/** The result of a link. `levers: false` leaves out what would help, which makes it ten times as fast. */
export function evaluate(link: string | URL, options?: { levers?: boolean }): Advised;
/** The plans of a link: their counts, and the frontier. */
export function search(link: string | URL): SearchFields;
/** Where a number of a link comes from, such as `tpot`; `null` if the link has no such number. */
export function explain(link: string | URL, number: string): ExplainedFields | null;
/** The link that a pasted benchmark makes. */
export function read(paste: string): ReadingFields;

export type AccountFields = {
  name: string;
  symbol: string;
  value: number;
  unit: string;
  how: string;
  equation?: string;
  key?: string;
  extrapolated?: boolean;
  weights?: Array<number>;
  groups?: Array<number>;
  source?: [string, string];
  parts?: Array<AccountFields>;
};

export type Advised = (EvaluationAnswer | SplitAnswer | RatioAnswer | Refused) & {
  service?: ServiceFields | ServiceRefused;
  levers?: Array<LeverFields>;
};

export type AggregatedFields = PlanFields & Partial<LoadedFields> & {
  aggregated_gpus: number;
  batch: number;
  step_s: number;
  prefill_s: number;
  tpot_s: number;
  rate: number;
  input_share: number;
  link: string;
};

export type AnchoredFields = {
  points: Array<AnchoredPoint>;
  dropped: Array<string>;
  factors: FactorFields;
  half: boolean;
  ttft_added_s?: number;
  tpot_before_s: number | null;
};

export type AnchoredPoint = {
  computed_s: number;
  measured_s: number;
  after_s: number;
};

export type BandFields = {
  low: number;
  high: number;
  tpot_s: [number, number];
  tok_s_user: [number, number];
  tok_s: [number, number];
  tok_s_gpu: [number, number];
  usd_per_mtok: [number, number] | null;
  joule_per_tok: [number, number] | null;
  runs: number;
  region: string;
  widened: number;
  note?: string;
};

export type BestFields = {
  choice: string;
  gpus?: number;
  gpus_disaggregated?: number;
  gpus_aggregated?: number;
  pools_over_aggregated: number | null;
  usd_per_request: number | null;
};

export type BreakdownSeconds = {
  attention: number;
  dense_ffn: number;
  moe: number;
  head: number;
  messages: number;
  overhead: number;
  hidden: number;
};

export type BusySeconds = {
  model: number;
  attention: number;
  network: number;
};

export type CostFields = {
  usd_per_request: number | null;
  usd_per_m_new_input: number | null;
  usd_per_m_output: number | null;
};

export type DecodeFields = PlanFields & {
  gpus_replica: number;
  batch: number;
  tpot_s: number;
  tok_s: number;
  rate: number;
  extrapolated: boolean;
  link: string;
};

export type DiagnosisFields = {
  verdict: string | null;
  off: Array<number>;
  band_s: Array<[number, number] | null>;
  terms: Array<SuspectFields>;
  top: Array<string>;
  shape?: ShapeFields;
  next: string;
};

export type EngineBytes = {
  outside: number;
  pass: number;
  graphs: number;
  total: number;
  pool: number;
  pool_band: number;
};

export type EvaluationAnswer = {
  ok: true;
  step_s: number;
  tpot_s: number;
  tok_s_user: number;
  tok_s: number;
  tok_s_gpu: number;
  prefill_s?: number;
  tpot_ends_s?: [number, number];
  tpot_eager_s?: number;
  ttft_s: number | null;
  usd_per_mtok: number | null;
  joule_per_tok: number | null;
  breakdown_s: BreakdownSeconds;
  limited_by: Record<string, number>;
  memory_bytes: MemoryBytes;
  fits: boolean;
  limits: LimitFields;
  sequence_bytes: SequenceFields;
  parameters: ParameterFields;
  mixers: Array<string>;
  ffns: Array<string>;
  error_band?: BandFields;
  anchored?: AnchoredFields;
  diagnosis?: DiagnosisFields;
  needs: Array<NeedsFields>;
  operators: Array<OperatorFields>;
  extrapolated: Array<string>;
  notes: Array<string>;
};

export type ExplainedFields = {
  explain: string;
  account: AccountFields;
  moves: Array<MoveFields>;
};

export type FactorFields = {
  fixed: number;
  variable: number;
  prefill: number;
};

export type FrontierFields = {
  link: string | null;
  tok_s_gpu: number;
  tok_s_user: number;
};

export type HomogeneousFields = {
  gpus: number;
  dp: number;
  tp: number;
  batch: number;
  step_s: number;
  tok_s_user: number;
  tok_s: number;
  usd_per_hour: number;
  tok_per_usd: number;
  overlap: string;
  batch_gain: number | null;
  tok_s_gain: number | null;
};

export type LatencyFields = {
  source: string;
  attention: LineFields;
  ffn: LineFields;
  weights: LineFields | null;
  communication: LineFields;
  ffn_links: LineFields | null;
  attention_loads: LoadFields | null;
  ffn_loads: LoadFields | null;
};

export type LeverFields = {
  change: string;
  group: string;
  set: Record<string, number | string>;
  factor: number | null;
  factor_now: number | null;
  effect: string;
  tok_s_gpu: number;
  tok_s_user: number;
  batch: number;
  tpot_same_batch_s: number | null;
  usd_per_mtok: number | null;
  assumed: boolean;
  extrapolated: boolean;
  link: string;
};

export type LimitFields = {
  ridge_point: number;
  ridge_point_ffn: number;
  b_attn: number;
  b_moe: number | null;
  b_rp: number;
  b_cap: number;
  b_slo: number | null;
};

export type LineFields = {
  slope_s: number;
  intercept_s: number;
};

export type LoadFields = {
  low: number;
  high: number;
  error: number;
};

export type LoadedFields = CostFields & {
  replicas: number;
  gpus: number;
  utilisation: number;
  wait_s: number;
  ttft_s: number;
  output_tok_s_gpu: number;
  total_tok_s_gpu: number;
};

export type MatchedFields = {
  prefill: number;
  decode: number;
  within_3_percent: boolean;
};

export type MemoryBytes = {
  attention_weights: number;
  expert_weights: number;
  dense_weights: number;
  embedding: number;
  kv_cache: number;
  activations: number;
  beside?: number;
  engine?: EngineBytes;
  total: number;
  capacity: number;
};

export type MissedFields = {
  work: string;
  key: string;
  message: string;
  best?: number;
};

export type MoveFields = {
  key: string;
  now: number;
  less: number | null;
  more: number | null;
};

export type NeedFields = {
  key: string;
  now: number | string;
  reached: boolean;
  value?: number | string;
  link?: string;
  why?: string;
  best?: number;
};

export type NeedsFields = {
  target: string;
  value?: number;
  now?: number;
  met: boolean;
  by: Array<NeedFields>;
};

export type OperatorFields = {
  mixer?: number;
  ffn?: number;
  name: string;
  role: string;
  layers: number;
  flop: number;
  bytes: number;
  intensity: number;
  time_s: number;
  bound: string;
};

export type ParameterFields = {
  total: number;
  active: number;
};

export type PlanFields = {
  dp: number;
  tp: number;
  kvp: number;
  pp: number;
  ep: number;
  ffn_tp: number;
  overlap: string;
};

export type PointFields = {
  time_s: number;
  source: string;
  batch?: number;
  prompt?: number;
  output?: number;
  context?: number;
  ttft_s?: number;
  decode_share?: number;
  in_flight?: number;
  decoding?: number;
  fill?: number;
  tok_s_gpu?: number;
  tokens_per_step?: number;
  step_s?: number;
};

export type PoolsFields = CostFields & {
  prefill_replicas: number;
  decode_replicas: number;
  gpus: number;
  utilisation_prefill: number;
  utilisation_decode: number;
  binds: string;
  wait_s: number;
  prefill_s: number;
  transfer_s: number;
  ttft_s: number;
  output_tok_s_gpu: number;
  total_tok_s_gpu: number;
};

export type PrefillFields = {
  prefill_gpus: number;
  prefill_tp: number;
  fits: boolean;
  new: number;
  cached: number;
  chunks: number;
  prompts_per_pass: number;
  tokens_per_pass: number;
  pairs: number;
  rows: number;
  sequence_s: number;
  two_batch_s: number | null;
  pass_s: number;
  compute_s: number;
  messages_s: number;
  pass_one_prompt_s: number;
  rate: number;
  tok_s_gpu: number;
  tok_s_gpu_with_cached: number;
};

export type RatioAnswer = {
  ok: true;
  mode: string;
  latencies: LatencyFields;
  slots: number;
  token_load: number;
  token_load_limit: number;
  r_attention: number;
  r_communication: number;
  r_links: number | null;
  r_peak: number;
  r_star: number;
  r_star_limit: number;
  r_star_in_flight: number;
  regime: string;
  best: RatioPointFields;
  best_in_flight: RatioPointFields;
  at: RatioPointFields;
  topologies: Array<TopologyFields>;
  attention_gpus: number;
  ffn_gpus: number;
  memory_bytes: RatioMemory;
  fits: boolean;
  does_not_fit: Array<string>;
  colocated_tok_s_gpu: number | null;
  colocated_tok_s_user: number | null;
  simulation?: SimulationFields;
  notes: Array<string>;
};

export type RatioMemory = {
  attention: SideMemory;
  ffn: SideMemory;
};

export type RatioPointFields = {
  r: number;
  regime: string;
  cycle_s: number;
  attention_s: number;
  communication_s: number;
  ffn_s: number;
  tpot_s: number;
  tok_s_user: number;
  tok_s_instance: number;
  tok_s_gpu: number | null;
  tok_s_instance_in_flight: number;
  tok_s_gpu_in_flight: number | null;
  idle_attention: number;
  idle_ffn: number;
};

export type ReadingFields = {
  format: string | null;
  link: string;
  points: Array<PointFields>;
  notes: Array<string>;
};

export type Reason = {
  key: string;
  message: string;
};

export type Refused = {
  ok: false;
  reasons: Array<Reason>;
  notes: Array<string>;
};

export type SearchFields = {
  evaluated: number;
  fitting: number;
  frontier: Array<FrontierFields>;
};

export type SequenceFields = {
  per_token: number;
  capped: number;
  state: number;
  total: number;
};

export type ServiceFields = {
  state: string;
  prompt: number;
  output: number;
  prefill?: PrefillFields;
  decode?: DecodeFields;
  gpus_prefill_per_decode?: number;
  matched?: MatchedFields;
  pools?: PoolsFields;
  aggregated?: AggregatedFields;
  best?: BestFields;
  missed: Array<MissedFields>;
  levers?: Array<ServiceLeverFields>;
  notes: Array<string>;
};

export type ServiceLeverFields = {
  change: string;
  group: string;
  set: Record<string, number | string>;
  factor: number | null;
  factor_now: number | null;
  effect: string;
  gpus: number | null;
  usd_per_request: number | null;
  ttft_s: number | null;
  tpot_s: number | null;
  assumed: boolean;
  extrapolated: boolean;
  link: string;
};

export type ServiceRefused = {
  reasons: Array<Reason>;
};

export type ShapeFields = {
  excess_s: Array<number>;
  fixed_s: number;
  per_sequence_s?: number;
  per_token_s?: number;
  mostly: string;
};

export type SideBytes = {
  weights: number;
  kv_cache: number;
  activations: number;
  total: number;
  usable: number;
};

export type SideMemory = {
  weights: number;
  kv_cache: number;
  activations: number;
  total: number;
  usable: number;
};

export type SimulationFields = {
  attention_instances: number;
  ffn_instances: number;
  r: number;
  seed: number;
  tok_s_instance: number;
  tok_s_instance_generated: number;
  theory_tok_s_instance: number;
  theory_tok_s_instance_in_flight: number;
  tpot_s: number;
  idle_attention: number;
  idle_ffn: number;
  straggling: number;
  steps: number;
  completed: number;
  elapsed_s: number;
};

export type SplitAnswer = {
  ok: true;
  mode: string;
  compute_gpu: string;
  memory_gpu: string;
  compute_gpus: number;
  memory_gpus: number;
  batches: number;
  replicas: number;
  trace: string | null;
  batch: number;
  batch_capacity: number;
  context: number;
  step_s: number;
  tpot_s: number;
  tok_s_user: number;
  tok_s: number;
  usd_per_hour: number | null;
  tok_per_usd: number | null;
  breakdown_s: SplitBreakdown;
  busy_s: BusySeconds;
  bound: string;
  balance: number;
  traffic_bytes: number;
  min_bandwidth: number;
  memory_bytes: SplitMemory;
  fits: boolean;
  does_not_fit: Array<string>;
  homogeneous: HomogeneousFields | null;
  budget_usd_per_hour: number | null;
  fastest: SplitCandidate | null;
  cheapest: SplitCandidate | null;
  notes: Array<string>;
};

export type SplitBreakdown = {
  model: number;
  attention: number;
  network: number;
  hidden: number;
  waiting: number;
};

export type SplitCandidate = {
  compute_gpus: number;
  memory_gpus: number;
  batch: number;
  tok_s: number;
  tok_s_user: number;
  usd_per_hour: number;
  tok_per_usd: number;
};

export type SplitMemory = {
  compute: SideBytes;
  memory: SideBytes;
};

export type SuspectFields = {
  term: string;
  factors: Array<number>;
  possible: boolean;
  factor: number;
  rms: number;
  score: number;
};

export type TopologyFields = {
  attention_instances: number;
  ffn_instances: number;
  gpus: number | null;
  tok_s_instance: number;
  tok_s_gpu: number | null;
  loss: number;
  tok_s_instance_in_flight: number;
  tok_s_gpu_in_flight: number | null;
  loss_in_flight: number;
};
