import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { ask } from '../../app/ask.ts';
import { Status } from '../../ui/detail.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { KindDetail, KindList, type Kind } from '../../ui/kind.tsx';
import { hiddenPart } from '../../ui/schema-form/choice-part.tsx';
import { FormContext, type FieldProps } from '../../ui/schema-form/context.ts';
import { SecretPart } from '../../ui/schema-form/scalars.tsx';
import { textIn, type Entered } from '../../ui/schema-form/value.ts';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { CertificateTabs } from './tabs.ts';

type Alert = Outputs['certificateAlerts']['get']['alert'];

const channelText = ({ channelType, config, enabled }: Alert['channels'][number]): string => {
  const where = 'recipients' in config ? config.recipients.join(', ') : 'url' in config ? config.url : config.channel;
  return `${labelOf(channelType)}${where ? ` to ${where}` : ''}${enabled ? '' : ' (off)'}`;
};

/** What a filter compares with: yes or no where it is about authorities. */
function FilterValue({ path, value, onChange }: FieldProps) {
  const { entered, faults } = useContext(FormContext);
  const [, index] = path.split('.');
  const filter = (entered['filters'] as readonly Entered[] | undefined)?.[Number(index)];
  const error = faults.get(path);
  if (filter?.['field'] === 'include_cas')
    return (
      <SelectField
        label="Value"
        error={error}
        value={value === '' ? '' : String(value)}
        onChange={(event) => onChange(event.target.value === 'true')}
      >
        <option value="">Choose</option>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </SelectField>
    );
  return (
    <TextField
      label="Value"
      required
      error={error}
      value={textIn(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const alerts: Kind<Alert> = {
  what: 'alert',
  title: 'Certificate alerts',
  lead: 'Who is notified of certificates that end soon, are issued, renewed or revoked.',
  empty: 'There is no alert yet: nobody is notified before a certificate ends.',
  area: 'certificateAlerts',
  subject: 'pki-alerts',
  path: '/projects/$projectId/certificates/alerts',
  Tabs: CertificateTabs,
  isSearched: true,
  useRows: (listing) =>
    useQuery({ ...ask('certificateAlerts', 'list', listing), select: ({ alerts: rows, total }) => ({ rows, total }) }),
  useRow: (alertId) => useQuery({ ...ask('certificateAlerts', 'get', { alertId }), select: ({ alert }) => alert }),
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  refOf: ({ id }) => ({ alertId: id }),
  aboutOf: ({ id }) => ({ pkiAlertId: id }),
  columns: [
    {
      title: 'Of',
      cell: ({ eventType, alertBefore }) => `${labelOf(eventType)}${alertBefore ? `, ${alertBefore} before` : ''}`,
    },
    { title: 'Notifies', cell: ({ channels }) => channels.map(channelText).join('; ') },
    { title: 'Enabled', cell: ({ enabled }) => valueText(enabled) },
  ],
  factsOf: ({ description, eventType, alertBefore, filters, channels, enabled, lastRun }) => [
    ['Description', description],
    ['Of', labelOf(eventType)],
    ['Before the end', alertBefore],
    ['Enabled', valueText(enabled)],
    ...channels.map((channel, index) => [`Channel ${index + 1}`, channelText(channel)] as const),
    ...filters.map(
      ({ field, operator, value }, index) =>
        [`Filter ${index + 1}`, `${labelOf(field)} ${labelOf(operator).toLowerCase()} ${valueText(value)}`] as const,
    ),
    [
      'Last run',
      lastRun && (
        <Status
          key="run"
          kind={lastRun.error ? 'bad' : 'good'}
          text={labelOf(lastRun.status)}
          at={lastRun.timestamp}
          why={lastRun.error}
        />
      ),
    ],
  ],
  form: {
    parts: {
      'filters.*.value': FilterValue,
      'channels.*.id': hiddenPart,
      'channels.*.config.signingSecret': SecretPart,
    },
    prominent: ['alertBefore'],
    initial: { alertBefore: '30d', eventType: 'expiration' },
    affects: ['certificateAlerts'],
  },
};

export const Screen = () => <KindList of={alerts} />;
export const One = () => <KindDetail of={alerts} />;
