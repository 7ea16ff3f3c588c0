/** Where a message goes, as written in `resonate:target` and in promise.register_listener. */
export type Address =
  /** To the one process of the group with this pid; waits for it. */
  | { readonly kind: 'uni'; readonly group: string; readonly pid: string }
  /** To one member of the group: to the preferred one if it is connected and has room, else to another. */
  | { readonly kind: 'any'; readonly group: string; readonly preferred?: string | undefined };

const FORM = /^(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/)?(any|uni)@([^/]+)(?:\/(.+))?$/s;

/**
 * `[scheme://]any@group[/pid]` or `[scheme://]uni@group/pid`; the scheme is ignored, the group ends at the first slash. Every
 * other text is the name of a group as a whole, and means any of its members.
 */
export function parseAddress(address: string): Address {
  const [, kind, group = address, pid] = FORM.exec(address) ?? [];
  if (kind === 'any') return { kind, group, preferred: pid };
  return pid === undefined ? { kind: 'any', group: address } : { kind: 'uni', group, pid };
}
