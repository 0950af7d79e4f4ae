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
import { texts } from './enrolment.texts.ts';
import { words } from '../../ui/words.texts.ts';

type Alert = Outputs['certificateAlerts']['get']['alert'];

const channelText = ({ channelType, config, enabled }: Alert['channels'][number]): string => {
  const where = 'recipients' in config ? config.recipients.join(', ') : 'url' in config ? config.url : config.channel;
  const channel = where ? texts.channelTo(labelOf(channelType), where) : labelOf(channelType);
  return enabled ? channel : texts.channelOff(channel);
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
        label={words.value}
        error={error}
        value={value === '' ? '' : String(value)}
        onChange={(event) => onChange(event.target.value === 'true')}
      >
        <option value="">{words.choose}</option>
        <option value="true">{words.yes}</option>
        <option value="false">{words.no}</option>
      </SelectField>
    );
  return (
    <TextField
      label={words.value}
      required
      error={error}
      value={textIn(value)}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

const alerts: Kind<Alert> = {
  what: texts.alert,
  title: texts.certificateAlerts,
  lead: texts.whoIsNotifiedOfCertificates,
  empty: texts.thereIsNoAlert,
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
      title: texts.of,
      cell: ({ eventType, alertBefore }) =>
        alertBefore ? texts.eventBefore(labelOf(eventType), alertBefore) : labelOf(eventType),
    },
    { title: texts.notifies, cell: ({ channels }) => channels.map(channelText).join('; ') },
    { title: words.enabled, cell: ({ enabled }) => valueText(enabled) },
  ],
  factsOf: ({ description, eventType, alertBefore, filters, channels, enabled, lastRun }) => [
    [words.description, description],
    [texts.of, labelOf(eventType)],
    [texts.beforeEnd, alertBefore],
    [words.enabled, valueText(enabled)],
    ...channels.map((channel, index) => [texts.channelNumber(index + 1), channelText(channel)] as const),
    ...filters.map(
      ({ field, operator, value }, index) =>
        [
          texts.filterNumber(index + 1),
          `${labelOf(field)} ${labelOf(operator).toLowerCase()} ${valueText(value)}`,
        ] as const,
    ),
    [
      texts.lastRun,
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
