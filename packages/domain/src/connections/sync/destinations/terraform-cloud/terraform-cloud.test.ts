import { afterAll, describe, expect, it } from 'vitest';
import { TerraformCloud } from '../../../../apps/terraform-cloud/testing/terraform-cloud.ts';
import { StandIns } from '../../../../identities/auth-method/testing/stand-ins.ts';
import { openExample } from '../../testing/open.ts';
import { example } from './examples.ts';
import { terraformCloud } from './terraform-cloud.ts';

const standIns = new StandIns();
afterAll(() => standIns.close());

async function open(config: object = {}) {
  const remote = new TerraformCloud();
  const target = {
    ...example.target(),
    credentials: { method: 'api-token', apiToken: remote.token },
    serve: (at: StandIns) => at.serve('app.terraform.io', remote.listener),
  };
  const opened = await openExample(standIns, terraformCloud, example, { target, config });
  const variables = (place = 'ws-shop') => [...remote.places.get(place)!.values()];
  return { ...opened, remote, variables };
}
const SET = { scope: 'variable-set', variableSetId: 'varset-shop', variableSetName: 'Shop', category: 'terraform' };
const sensitive = (key: string, value: string, category: string) => ({
  ...{ key, value, category, sensitive: true, hcl: false },
});

describe('Terraform Cloud', () => {
  it('writes sensitive variables of a workspace beside those of the other category', async () => {
    const { write, callsOf, remote, variables } = await open();
    const theirs = sensitive('KEY', 'theirs', 'terraform');
    remote.places.get('ws-shop')!.set('var-theirs', theirs);
    expect(await callsOf(() => write({ KEY: 'ours', OTHER: '' }))).toBe(3);
    expect(await callsOf(() => write({ KEY: 'changed' }, ['OTHER', 'NOBODY']))).toBe(3);
    expect(variables()).toEqual([theirs, sensitive('KEY', 'changed', 'env')]);
  });

  it('writes variables of a variable set, and finds existing ones on all pages', async () => {
    const { write, callsOf, remote, variables } = await open(SET);
    const set = remote.places.get('varset-shop')!;
    for (let n = 0; n < 150; n++)
      set.set(`var-${1000 + n}`, { ...sensitive(`KEY_${n}`, 'theirs', 'terraform'), hcl: true });
    expect(await callsOf(() => write({ KEY_149: 'line\nline' }))).toBe(3);
    expect(variables('varset-shop').at(-1)).toEqual(sensitive('KEY_149', 'line\nline', 'terraform'));
  });

  it('reports a value that Terraform Cloud rejects, and writes the others', async () => {
    const { write, variables } = await open();
    const { rejected, put } = await write({ LINES: 'a\nb', KEY: 'value' });
    expect([...rejected]).toEqual([['LINES', expect.stringContaining('one line')]]);
    expect(put.map(({ name }) => name)).toEqual(['KEY']);
    expect(variables()).toEqual([sensitive('KEY', 'value', 'env')]);
  });
});
