import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from '../../app/ask.ts';
import { bytesText } from '../../ui/bytes.ts';
import { Facts, Part } from '../../ui/detail.tsx';
import { Row } from '../../ui/field.tsx';
import { LineChart } from '../../ui/line-chart.tsx';
import { Badge } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { language } from '../../ui/language.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type State = Outputs['instanceManagement']['overview'];

const EVERY_MS = 5_000;
/** Ten minutes. */
const MOST_SAMPLES = 120;

/** How the server and its database are, while one looks. */
export function Overview() {
  const overview = useQuery({ ...ask('instanceManagement', 'overview', {}), refetchInterval: EVERY_MS });
  const samples = useSamples(overview.data);
  return (
    <Queried query={overview}>
      {({ database, jobs, keys }) => (
        <>
          <Memory samples={samples} />
          <Part title={texts.database}>
            <Row>
              <Chart label={texts.size} samples={samples} of={(state) => state.database.bytes} />
              <Chart
                label={texts.connections}
                samples={samples}
                of={(state) => state.database.connections}
                text={String}
              />
            </Row>
            <Facts
              of={[
                ['PostgreSQL', database.version],
                [texts.connectionsAtMost, database.maxConnections],
              ]}
            />
            <Table
              label={texts.largestTables}
              rows={database.tables}
              keyOf={({ name }) => name}
              empty={texts.thereIsNoTable}
              columns={[
                { title: texts.table, cell: ({ name }) => <code>{name}</code> },
                { title: texts.size, cell: ({ bytes }) => bytesText(bytes) },
                { title: texts.rowsAbout, cell: ({ rows }) => rows.toLocaleString(language) },
              ]}
            />
          </Part>
          <Part title={texts.backgroundJobs}>
            <Jobs jobs={jobs} />
          </Part>
          <Part title={texts.encryptionKeys}>
            <Keys keys={keys} />
          </Part>
        </>
      )}
    </Queried>
  );
}

/** What was seen since the page was opened. */
function useSamples(state: State | undefined): readonly State[] {
  const [samples, setSamples] = useState<readonly State[]>([]);
  useEffect(() => {
    if (state) setSamples((before) => [...before, state].slice(-MOST_SAMPLES));
  }, [state]);
  return samples;
}

/** Of each process that has answered meanwhile: each request may be answered by another one. */
function Memory({ samples }: { readonly samples: readonly State[] }) {
  const processes = [...Map.groupBy(samples, (state) => state.process.id)];
  return (
    <Part title={texts.memory}>
      {processes.length > 1 && <p>{texts.severalProcessesServeSame}</p>}
      {processes.map(([id, own]) => (
        <section key={id} aria-label={texts.processId(id)}>
          <Row>
            <Chart label={texts.resident} samples={own} of={(state) => state.process.resident} />
            <Chart label={texts.heap} samples={own} of={(state) => state.process.heapUsed} />
            <Chart label={texts.outsideOfHeap} samples={own} of={(state) => state.process.external} />
          </Row>
          <Facts
            of={[
              [texts.process, <code key="id">{id}</code>],
              [texts.started, <Time key="started" at={own[0]?.process.startedAt} />],
            ]}
          />
        </section>
      ))}
    </Part>
  );
}

interface ChartProps {
  readonly label: string;
  readonly samples: readonly State[];
  readonly of: (state: State) => number;
  readonly text?: (value: number) => string;
}

const Chart = ({ label, samples, of, text = bytesText }: ChartProps) => (
  <LineChart
    label={label}
    samples={samples.map((state) => ({ at: new Date(state.takenAt).getTime(), value: of(state) }))}
    text={text}
  />
);

const Jobs = ({ jobs }: Pick<State, 'jobs'>) => (
  <Table
    label={texts.backgroundJobs}
    rows={jobs}
    keyOf={({ task }) => task}
    empty={texts.noJobWaits}
    columns={[
      { title: texts.task, cell: ({ task }) => <code>{task}</code> },
      { title: texts.running, cell: ({ running }) => running },
      { title: texts.due, cell: ({ due }) => due },
      { title: texts.later, cell: ({ later }) => later },
      { title: texts.givenUp, cell: ({ failed }) => (failed > 0 ? <Badge kind="bad">{failed}</Badge> : 0) },
      { title: texts.dueSince, cell: ({ oldestDueAt }) => <Time at={oldestDueAt} /> },
    ]}
  />
);

function Keys({ keys: { organizations, active, retired, changedAt, rotations } }: Pick<State, 'keys'>) {
  return (
    <>
      <Facts
        of={[
          [texts.organizations, organizations],
          [texts.keysInUse, active],
          [texts.replacedNotDestroyedYet, retired],
          [texts.lastChange, <Time key="change" at={changedAt} />],
        ]}
      />
      <Table
        label={texts.rotationsUnderWay}
        rows={rotations}
        keyOf={({ organizationId }) => organizationId}
        empty={texts.noRotationIsUnder}
        columns={[
          { title: words.organization, cell: ({ organizationName }) => organizationName },
          { title: texts.beingDistributed, cell: ({ staged }) => staged },
          { title: texts.stillToReseal, cell: ({ replaced }) => replaced },
          { title: words.done, cell: ({ done }) => done },
        ]}
      />
    </>
  );
}
