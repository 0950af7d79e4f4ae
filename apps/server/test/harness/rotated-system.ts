import { createOutbound, parseCidrs } from '@coffer/domain';
import { openGate, type Gate } from '@coffer/domain/testing';
import type { RotatedSystem } from './rotation.ts';
import { testServer } from './test-server.ts';

export interface OwnSystem extends RotatedSystem {
  close(): Promise<void>;
}

/** A Coffer, and a system on a port of this machine, behind a gate. */
export async function behindGate(
  port: number,
  describeSystem: (gate: Gate) => Omit<RotatedSystem, 'test' | 'shut' | 'open'>,
): Promise<OwnSystem> {
  const outbound = createOutbound({ allow: parseCidrs('127.0.0.0/8') });
  const test = await testServer({ connect: outbound.connect });
  const gate = await openGate({ port });
  return {
    ...describeSystem(gate),
    test,
    shut: () => gate.shut(),
    open: () => gate.open(),
    async close() {
      await test.close();
      await gate.close();
      await outbound.close();
    },
  };
}
