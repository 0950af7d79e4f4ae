import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Part } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Row, TextField } from '../../ui/field.tsx';
import { Queried } from '../../ui/query.tsx';
import { DifferencesTable } from './differences.tsx';
import { texts } from './texts.ts';

export interface HistoryPlace {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
}

const instantOf = (local: string): string | undefined => (local ? new Date(local).toISOString() : undefined);

/** Two instants of this clock; the second one may be left out. */
export function CompareForm() {
  const [, go] = useAddress();
  const may = useProjectRights(useProjectId());
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  return (
    <Part title={texts.anotherInstant}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go({ compare: 'yes', from: instantOf(from), to: instantOf(to) });
        }}
      >
        <TextField
          label={texts.stateAt}
          type="datetime-local"
          step={1}
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <TextField
          label={texts.comparedWithStateAt}
          hint={texts.emptyNow}
          type="datetime-local"
          step={1}
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
        <Row>
          <Button type="submit">{texts.showDifference}</Button>
          {may('commits', 'perform-rollback') && (
            <Button disabled={from === ''} onClick={() => go({ restore: instantOf(from) })}>
              {texts.restoreToFirstInstant}
            </Button>
          )}
        </Row>
      </form>
    </Part>
  );
}

export function ComparisonDialog({ place }: { readonly place: HistoryPlace }) {
  const [{ from, to }, go] = useAddress();
  const input = { ...place, ...(from && { from }), ...(to && { to }) };
  const found = useQuery(ask('history', 'compare', { ...input, viewSecretValue: false }));
  const read = async () => (await coffer.history.compare.query(input)).changes;
  return (
    <Dialog
      title={texts.whatHasChangedIn(place.environment, place.secretPath)}
      look="wide"
      onClose={() => go({ compare: undefined, from: undefined, to: undefined })}
    >
      <Queried query={found}>{({ changes }) => <DifferencesTable of={changes} read={read} />}</Queried>
    </Dialog>
  );
}
