import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { download } from '../../app/download.ts';
import { Act } from '../../ui/act.tsx';
import { Row, TextField } from '../../ui/field.tsx';
import { instantOf, localTime } from './filters.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const PATH = '/api/v1/organization/audit-logs/export';

/** The log as a file, which anybody can verify. */
export function Export() {
  const [address] = useAddress();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const start = async () => {
    const period = {
      startDate: instantOf(from || localTime(address['from'])),
      endDate: instantOf(to || localTime(address['to'])),
    };
    const given = Object.entries(period).filter(([, value]) => value !== '');
    await download(`${PATH}?${new URLSearchParams(given).toString()}`, 'audit-log.jsonl');
  };
  return (
    <Act
      label={words.export}
      run={start}
      done={texts.logIsExported}
      ask={{
        title: texts.exportAuditLog,
        children: (
          <>
            <p>{texts.wholeLogOfOrganization}</p>
            <Row>
              <TextField
                label={words.from}
                type="datetime-local"
                step={1}
                value={from || localTime(address['from'])}
                onChange={(event) => setFrom(event.target.value)}
              />
              <TextField
                label={texts.until}
                type="datetime-local"
                step={1}
                value={to || localTime(address['to'])}
                onChange={(event) => setTo(event.target.value)}
              />
            </Row>
          </>
        ),
      }}
    />
  );
}
