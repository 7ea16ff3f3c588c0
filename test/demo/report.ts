/** What a worker of the demo tells its parent, one line of JSON each. */
export type Report =
  | { readonly kind: 'connected'; readonly pid: string }
  | { readonly kind: 'started'; readonly pid: string; readonly taskId: string; readonly version: number };
