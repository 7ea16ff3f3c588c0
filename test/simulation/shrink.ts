/** Delta debugging: the script without every part that the failure does not need. */
export function shrink<Step>(script: readonly Step[], fails: (part: readonly Step[]) => boolean): readonly Step[] {
  let short = script;
  for (let size = Math.ceil(script.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // Again with the same size as long as it helps: what stays may have become superfluous.
    for (let before = -1; before !== short.length;) {
      before = short.length;
      for (let start = 0; start < short.length;) {
        const rest = [...short.slice(0, start), ...short.slice(start + size)];
        if (fails(rest)) short = rest;
        else start += size;
      }
    }
  }
  return short;
}
