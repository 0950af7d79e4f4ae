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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Limits = Outputs['instanceManagement']['rateLimits']['rateLimit'];
type Stored = Inputs['instanceManagement']['updateRateLimits'];
type Name = keyof Stored;

const LABELS: Readonly<Record<Name, readonly [label: string, hint: string]>> = {
  readRateLimit: [texts.reads, texts.requestsPerMinuteAndCaller],
  writeRateLimit: [texts.writes, texts.requestsPerMinuteAndCaller],
  secretsRateLimit: [words.secrets, texts.requestsPerMinuteAndCallerReads],
  authRateLimit: [texts.refusedLogins, texts.perMinuteAddressAndSubject],
  inviteUserRateLimit: [texts.invitations, texts.requestsPerMinuteAndCaller],
  mfaRateLimit: [texts.secondFactors, texts.storedWithoutEffect],
  publicEndpointLimit: [texts.publicOperations, texts.requestsPerMinuteAndAddress],
};
const NAMES = Object.keys(LABELS) as Name[];

export function RateLimits() {
  const limits = useQuery(ask('instanceManagement', 'rateLimits', {}));
  return (
    <Part title={texts.rateLimitsInForce}>
      <p>{texts.allProcessesApplyChange}</p>
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
    toast(texts.rateLimitsAreSaved);
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
          {words.save}
        </Button>
      </form>
      <Act
        label={texts.useOperatorsSettings}
        run={() => store(() => null)}
        done={texts.operatorsSettingsAreInForce}
        ask={{
          title: texts.useOperatorsSettingsQuestion,
          children: <p>{texts.noLimitIsStored}</p>,
        }}
      />
    </>
  );
}
