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
          <Part title="Database">
            <Row>
              <Chart label="Size" samples={samples} of={(state) => state.database.bytes} />
              <Chart label="Connections" samples={samples} of={(state) => state.database.connections} text={String} />
            </Row>
            <Facts
              of={[
                ['PostgreSQL', database.version],
                ['Connections at most', database.maxConnections],
              ]}
            />
            <Table
              label="Largest tables"
              rows={database.tables}
              keyOf={({ name }) => name}
              empty="There is no table."
              columns={[
                { title: 'Table', cell: ({ name }) => <code>{name}</code> },
                { title: 'Size', cell: ({ bytes }) => bytesText(bytes) },
                { title: 'Rows, about', cell: ({ rows }) => rows.toLocaleString('en') },
              ]}
            />
          </Part>
          <Part title="Background jobs">
            <Jobs jobs={jobs} />
          </Part>
          <Part title="Encryption keys">
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
    <Part title="Memory">
      {processes.length > 1 && <p>Several processes serve the same port. Here are those that have answered so far.</p>}
      {processes.map(([id, own]) => (
        <section key={id} aria-label={`Process ${id}`}>
          <Row>
            <Chart label="Resident" samples={own} of={(state) => state.process.resident} />
            <Chart label="Heap" samples={own} of={(state) => state.process.heapUsed} />
            <Chart label="Outside of the heap" samples={own} of={(state) => state.process.external} />
          </Row>
          <Facts
            of={[
              ['Process', <code key="id">{id}</code>],
              ['Started', <Time key="started" at={own[0]?.process.startedAt} />],
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
    label="Background jobs"
    rows={jobs}
    keyOf={({ task }) => task}
    empty="No job waits."
    columns={[
      { title: 'Task', cell: ({ task }) => <code>{task}</code> },
      { title: 'Running', cell: ({ running }) => running },
      { title: 'Due', cell: ({ due }) => due },
      { title: 'Later', cell: ({ later }) => later },
      { title: 'Given up', cell: ({ failed }) => (failed > 0 ? <Badge kind="bad">{failed}</Badge> : 0) },
      { title: 'Due since', cell: ({ oldestDueAt }) => <Time at={oldestDueAt} /> },
    ]}
  />
);

function Keys({ keys: { organizations, active, retired, changedAt, rotations } }: Pick<State, 'keys'>) {
  return (
    <>
      <Facts
        of={[
          ['Organizations', organizations],
          ['Keys in use', active],
          ['Replaced, not destroyed yet', retired],
          ['Last change', <Time key="change" at={changedAt} />],
        ]}
      />
      <Table
        label="Rotations under way"
        rows={rotations}
        keyOf={({ organizationId }) => organizationId}
        empty="No rotation is under way. The operator starts one: npm run coffer -- keys rotate"
        columns={[
          { title: 'Organization', cell: ({ organizationName }) => organizationName },
          { title: 'Being distributed', cell: ({ staged }) => staged },
          { title: 'Still to reseal', cell: ({ replaced }) => replaced },
          { title: 'Done', cell: ({ done }) => done },
        ]}
      />
    </>
  );
}
