import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Part } from '../../ui/detail.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Queried } from '../../ui/query.tsx';
import { toast } from '../../ui/toast.tsx';

type Limits = Outputs['instanceManagement']['rateLimits']['rateLimit'];
type Stored = Inputs['instanceManagement']['updateRateLimits'];
type Name = keyof Stored;

const LABELS: Readonly<Record<Name, readonly [label: string, hint: string]>> = {
  readRateLimit: ['Reads', 'Requests per minute and caller; 0: no limit'],
  writeRateLimit: ['Writes', 'Requests per minute and caller; 0: no limit'],
  secretsRateLimit: ['Secrets', 'Requests per minute and caller, reads and writes; 0: no limit'],
  authRateLimit: ['Refused logins', 'Per minute, address and subject; 0: the setting of the operator'],
  inviteUserRateLimit: ['Invitations', 'Requests per minute and caller; 0: no limit'],
  mfaRateLimit: ['Second factors', 'Stored, without effect: there is no such operation'],
  publicEndpointLimit: ['Public operations', 'Requests per minute and address; 0: no limit'],
};
const NAMES = Object.keys(LABELS) as Name[];

export function RateLimits() {
  const limits = useQuery(ask('instanceManagement', 'rateLimits', {}));
  return (
    <Part title="Rate limits in force">
      <p>
        All processes apply a change within a second; what is beyond a limit gets 429 with the time to wait. Saving
        stores all of them, instead of the settings of the operator.
      </p>
      <Queried query={limits}>{({ rateLimit }) => <Form key={rateLimit.updatedAt} limits={rateLimit} />}</Queried>
    </Part>
  );
}

function Form({ limits }: { readonly limits: Limits }) {
  const [entered, setEntered] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const update = useChange('instanceManagement', 'updateRateLimits');
  const valueOf = (name: Name) => entered[name] ?? String(limits[name]);
  const store = (limitOf: (name: Name) => number | null) =>
    update.mutateAsync(Object.fromEntries(NAMES.map((name) => [name, limitOf(name)])) as Stored);
  const form = useForm(async () => {
    await store((name) => Number(valueOf(name)));
    toast('The rate limits are saved');
  });
  return (
    <>
      <form onSubmit={form.submit}>
        {NAMES.map((name) => (
          <TextField
            key={name}
            label={LABELS[name][0]}
            hint={LABELS[name][1]}
            type="number"
            min={0}
            max={1_000_000}
            required
            value={valueOf(name)}
            onChange={(event) => setEntered({ ...entered, [name]: event.target.value })}
          />
        ))}
        {form.error !== undefined && <ErrorNote error={form.error} />}
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          Save
        </Button>
      </form>
      <Act
        label="Use the operator's settings"
        run={() => store(() => null)}
        done="The operator's settings are in force"
        ask={{
          title: "Use the operator's settings?",
          children: <p>No limit is stored then: COFFER_RATE_LIMIT and COFFER_LOGIN_RATE_LIMIT decide.</p>,
        }}
      />
    </>
  );
}
