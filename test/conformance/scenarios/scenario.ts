import type { Scene } from '../scene.js';

/** What every language has to do, written once. */
export interface Scenario {
  readonly name: string;
  /** More flags of a server of its own. Absent: it shares one. */
  readonly server?: readonly string[];
  /** Throws what is wrong. */
  readonly play: (scene: Scene) => Promise<void>;
}
