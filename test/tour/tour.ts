/**
 * Runs the README's tour as it is written, line by line, with the real grpcurl against a real server on the default port, and
 * checks what the text says that a reader will see.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { removeDirectory, ServerProcess } from '../support/server-process.js';

const README = new URL('../../../README.md', import.meta.url);
const BLOCK = /<!-- tour: (\w+) -->\n```sh\n([\s\S]*?)```/g;
const PORT = 50051;

interface Step {
  readonly kind: string;
  readonly command: string;
}

function steps(): Step[] {
  const blocks = [...readFileSync(README, 'utf8').matchAll(BLOCK)];
  return blocks.flatMap(([, kind, text]) =>
    (text as string)
      .trim()
      .split('\n')
      .map((command) => ({ kind: kind as string, command })),
  );
}

function check(condition: boolean, what: string): void {
  process.stdout.write(`${condition ? 'ok  ' : 'FAIL'}  ${what}\n`);
  if (!condition) process.exitCode = 1;
}

async function main(): Promise<void> {
  execFileSync('grpcurl', ['-version'], { stdio: 'pipe' });
  const server = await ServerProcess.start({ port: PORT });
  let pushed = '';
  const executes = () => pushed.match(/"taskId": "order-1"/g)?.length ?? 0;
  let stream: ReturnType<typeof spawn> | undefined;
  try {
    for (const { kind, command } of steps()) {
      const rpc = command.split(' ').at(-1) as string;
      if (kind === 'stream') {
        stream = spawn('bash', ['-c', `exec ${command}`], { stdio: ['ignore', 'pipe', 'inherit'] });
        stream.stdout?.on('data', (chunk: Buffer) => (pushed += chunk.toString()));
        await until(() => pushed.includes('"hello"'));
        check(pushed.includes('"hello"'), `${rpc} says hello`);
        continue;
      }
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
      if (kind === 'refused') check(status !== 0 && stderr.includes('"reason"'), `${rpc} is refused, with a reason`);
      else check(status === 0, `${rpc} answers${status === 0 ? '' : `: ${stderr}`}`);
      if (rpc.endsWith('PromiseGet')) check(stdout.includes('PROMISE_STATE_RESOLVED'), 'the order is resolved');
      if (rpc.endsWith('PromiseSettle')) {
        await until(() => executes() === 2);
        check(executes() === 2, 'the stream shows the execute again');
      } else if (rpc.endsWith('TaskSuspend')) {
        check(stdout.includes('"suspended"'), 'the task is suspended');
      } else if (rpc.endsWith('Pipeline')) {
        check(/"callId": 2,\s+"promiseGet"/.test(stdout), 'the read sees the create before it');
      }
    }
    check(executes() === 2, 'the stream showed the execute twice');
    const services = execFileSync('grpcurl', ['-plaintext', `localhost:${PORT}`, 'list'], { encoding: 'utf8' });
    const expected = [
      'PromiseService',
      'TaskService',
      'ScheduleService',
      'DispatchService',
      'PipelineService',
      'Health',
      'ServerReflection',
    ];
    check(
      expected.every((name) => services.includes(name)),
      'grpcurl lists the services, health and reflection',
    );
  } finally {
    stream?.kill();
    await server.stop();
    removeDirectory(server.data);
  }
}

/** Waits until it is so, for at most five seconds. */
async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !condition(); i++) await pause(50);
}

await main();
