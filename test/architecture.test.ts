/** The rules of DESIGN "Rooms", enforced on the text of the sources. */
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = filesUnder('src', '.ts');
const PROTOS = filesUnder('proto/resonate_grpc/v1', '.proto');

/** Which rooms of src a room may import, besides itself. `main` stands for the files that lie in src itself. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  store: ['protocol'],
  engine: ['store', 'protocol'],
  dispatch: ['engine', 'store', 'protocol'],
  server: ['dispatch', 'engine', 'store', 'protocol'],
  main: ['server', 'dispatch', 'engine', 'store', 'protocol'],
};

/** Where a package may be imported, if not everywhere outside the protocol. */
const PACKAGES: readonly (readonly [name: RegExp, allowed: RegExp])[] = [
  [/^lmdb$/, /^src\/store\/lmdb/],
  [/^@grpc\/|^grpc-health-check$/, /^src\/server\/|^src\/dispatch\/.*stream/],
];

/** What a pure function does not do. */
const IMPURE: Readonly<Record<string, RegExp>> = {
  'the clock': /\bDate\b|\bperformance\b|\bhrtime\b/,
  randomness: /\brandom\w*\b|\bcrypto\b/i,
  'the process': /\bprocess\b|\bglobalThis\b/,
  timers: /\bset(?:Timeout|Interval|Immediate)\b|\bqueueMicrotask\b/,
  output: /\bconsole\b/,
  'a promise of JavaScript': /\basync\b|\bawait\b|\bnew Promise\b/,
  'try or throw': /\btry\b|\bcatch\b|\bthrow\b/,
};

describe('architecture', () => {
  it('has sources in every room', () => {
    expect(new Set(SOURCES.map(roomOf))).to.deep.equal(new Set(Object.keys(ARROWS)));
  });

  it('imports only along the arrows', () => {
    const wrong: string[] = [];
    for (const file of SOURCES)
      for (const target of localImports(file).filter((target) => target.startsWith('src/'))) {
        const room = roomOf(file);
        if (room !== roomOf(target) && !ARROWS[room]?.includes(roomOf(target))) wrong.push(`${file} → ${target}`);
      }
    expect(wrong).to.deep.equal([]);
  });

  it('leaves src only for the generated types, and only in the server', () => {
    const wrong: string[] = [];
    for (const file of SOURCES)
      for (const target of localImports(file)) {
        if (target.startsWith('src/')) continue;
        if (roomOf(file) !== 'server' || !target.startsWith('clients/typescript/gen/'))
          wrong.push(`${file} → ${target}`);
      }
    expect(wrong).to.deep.equal([]);
  });

  it('keeps the server out of the clients', () => {
    const wrong = filesUnder('clients/typescript', '.ts').flatMap((file) =>
      localImports(file)
        .filter((target) => !target.startsWith('clients/typescript/'))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('imports lmdb only in src/store/lmdb*, and gRPC only in the server and the stream adapter', () => {
    const wrong: string[] = [];
    for (const file of SOURCES)
      for (const name of imports(file).filter((specifier) => !isLocal(specifier)))
        for (const [of, allowed] of PACKAGES) if (of.test(name) && !allowed.test(file)) wrong.push(`${file} → ${name}`);
    expect(wrong).to.deep.equal([]);
  });

  describe('the protocol', () => {
    const protocol = SOURCES.filter((file) => roomOf(file) === 'protocol');

    it('imports nothing outside itself', () => {
      const wrong = protocol.flatMap((file) =>
        imports(file)
          .filter((specifier) => !isLocal(specifier) || roomOf(resolve(file, specifier)) !== 'protocol')
          .map((specifier) => `${file} → ${specifier}`),
      );
      expect(wrong).to.deep.equal([]);
    });

    for (const [what, pattern] of Object.entries(IMPURE))
      it(`does not use ${what}`, () => {
        expect(protocol.filter((file) => pattern.test(codeOf(file)))).to.deep.equal([]);
      });
  });

  describe('one word everywhere', () => {
    // Operations of the protocol announce themselves by their id; the rest are extensions.
    const rpcs = PROTOS.flatMap((file) =>
      [
        ...read(file).matchAll(
          / {2}\/\/ ([PTS]-\d\d) ([\w.]+):(?:.*\n {2}\/\/)*.*\n {2}rpc (\w+)\((\w+)\) returns \((\w+)\);/g,
        ),
      ].map(([, id = '', name = '', rpc = '', request = '', response = '']) => ({ id, name, rpc, request, response })),
    );

    it('finds the operations of the spec in the proto files, in their number', () => {
      const ids = rpcs.map(({ id }) => id);
      expect(ids).to.have.members([...numbered('P', 6), ...numbered('T', 11), ...numbered('S', 4)]);
    });

    it('has no rpc besides them and the extensions', () => {
      const all = PROTOS.flatMap((file) => [...read(file).matchAll(/^ {2}rpc (\w+)/gm)].map(([, name]) => name));
      const extensions = ['PromiseWait', 'Dispatch', 'DispatchAcknowledge', 'DispatchDrain', 'Pipeline'];
      expect(all).to.have.members([...rpcs.map(({ rpc }) => rpc), ...extensions]);
    });

    it('names the files of handlers and tests by spec id and operation', () => {
      const names = rpcs.map(({ id, name }) => `${id}-${name}`);
      const handlers = filesUnder('src/protocol/actions', '.ts').map((file) => path.posix.basename(file, '.ts'));
      expect(handlers).to.have.members([...names, '00-resume', '02-timeouts']);
      const tests = filesUnder('test/actions', '.test.ts').map((file) => path.posix.basename(file, '.test.ts'));
      expect(tests).to.include.members(handlers);
    });

    it('knows every operation by its name, and no other', () => {
      const table =
        /export const operations = \{([^]*?)\} as const/.exec(read('src/protocol/operations.ts'))?.[1] ?? '';
      const names = [...table.matchAll(/^ {2}'([\w.]+)': (?:read|write)\((\w+)/gm)];
      expect(names.map(([, name, handler]) => [name, handler])).to.have.deep.members(
        rpcs.map(({ name }) => [name, camelCase(name)]),
      );
    });

    for (const { id, name, rpc, request, response } of rpcs)
      it(`${id} ${name}: one handler, one rpc, one test`, () => {
        const pascal = camelCase(name).replace(/^./, (letter) => letter.toUpperCase());
        expect([rpc, request, response]).to.deep.equal([pascal, `${pascal}Request`, `${pascal}Response`]);
        const handler = read(`src/protocol/actions/${id}-${name}.ts`);
        expect(handler).to.match(new RegExp(`/\\*\\*\\s[^]*?${id}:[^]*?export function ${camelCase(name)}\\(`));
        expect(read(`test/actions/${id}-${name}.test.ts`)).to.include(`describe('${id} ${name}'`);
      });
  });

  it('refuses only for reasons that the API lists', () => {
    const listed = [...read('proto/resonate_grpc/v1/refusal.proto').matchAll(/^ {2}REASON_(\w+) = /gm)].map(
      ([, name]) => name,
    );
    const union = /export type Reason =([^;]*);/.exec(read('src/protocol/outcome.ts'))?.[1] ?? '';
    const reasons = [...union.matchAll(/'(\w+)'/g)].map(([, name]) => name);
    expect(reasons).to.not.deep.equal([]);
    expect(listed).to.include.members(reasons);
  });
});

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .filter((name) => name.endsWith(ending))
    .sort();
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** The file without comments and without the contents of strings. */
function codeOf(file: string): string {
  return read(file)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\/\/.*/g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

/** The specifiers of a file's imports and re-exports, static, dynamic and of types. */
function imports(file: string): string[] {
  const text = read(file).replace(/\/\*[^]*?\*\//g, '');
  return [...text.matchAll(/(?:\bfrom|^import|\bimport\(|\brequire\()\s*'([^']+)'/gm)].map(
    ([, specifier = '']) => specifier,
  );
}

/** The files that a file imports. */
function localImports(file: string): string[] {
  return imports(file)
    .filter(isLocal)
    .map((specifier) => resolve(file, specifier));
}

function isLocal(specifier: string): boolean {
  return specifier.startsWith('.');
}

function resolve(file: string, specifier: string): string {
  return path.posix.join(path.posix.dirname(file), specifier);
}

/** The folder below src; `main` for the files in src itself; nothing for what is outside. */
function roomOf(file: string): string {
  const [top, room, rest] = file.split('/');
  if (top !== 'src' || room === undefined) return '';
  return rest === undefined ? 'main' : room;
}

function numbered(kind: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${kind}-${String(i + 1).padStart(2, '0')}`);
}

/** promise.register_callback → promiseRegisterCallback */
function camelCase(name: string): string {
  return name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
}
