import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext, useId, type ComponentType } from 'react';
import { ask } from '../app/ask.ts';
import { useProjectId } from '../app/project.ts';
import { EnvironmentField } from './environment-field.tsx';
import { SelectField, TextField } from './field.tsx';
import { FormContext, type FieldProps } from './schema-form/context.ts';
import { textIn, type Entered } from './schema-form/value.ts';
import { texts } from './texts.ts';
import { distinctNames, shortId } from './short-id.ts';
import { words } from './words.texts.ts';

/** The environments of the project, by their slugs. */
export function EnvironmentPart({ path, value, onChange }: FieldProps) {
  const fault = useContext(FormContext).faults.get(path);
  const projectId = useProjectId();
  const { data } = useQuery(ask('projects', 'get', { projectId }));
  return (
    <EnvironmentField
      isOpen
      environments={data?.project.environments ?? []}
      error={fault}
      value={textIn(value)}
      onChange={onChange}
    />
  );
}

/** A folder of the environment that another field names, offered from those that there are. */
export const folderPart = (environmentOf: (entered: Entered) => unknown): ComponentType<FieldProps> =>
  function FolderPart({ path, value, onChange }: FieldProps) {
    const projectId = useProjectId();
    const { entered, faults } = useContext(FormContext);
    const environment = textIn(environmentOf(entered));
    const listId = useId();
    const { data } = useQuery({
      ...ask('folders', 'list', { projectId, environment, path: '/', recursive: true }),
      enabled: environment !== '',
    });
    return (
      <>
        <TextField
          label={words.folder}
          hint={texts.pathOfFolder}
          required
          list={listId}
          error={faults.get(path)}
          value={textIn(value)}
          onChange={(event) => onChange(event.target.value)}
        />
        <datalist id={listId}>
          {data?.folders.map(({ id, name, relativePath }) => (
            <option key={id} value={relativePath ?? `/${name}`} />
          ))}
        </datalist>
      </>
    );
  };

/** A connection to an app, of the project or the organization, that the user may use. */
const connectionPart = (app: string): ComponentType<FieldProps> =>
  function ConnectionPart({ path, value, onChange }: FieldProps) {
    const fault = useContext(FormContext).faults.get(path);
    const projectId = useProjectId();
    const { data } = useQuery(ask('appConnections', 'available', { app: app as never, projectId }));
    const isNone = data?.appConnections.length === 0;
    return (
      <SelectField
        label={words.connection}
        required
        error={fault}
        hint={
          isNone && (
            <>
              {texts.thereIsNoneToThisApp(
                <Link to="/projects/$projectId/app-connections" params={{ projectId }} search={{ new: app }}>
                  {texts.createConnection}
                </Link>,
              )}
            </>
          )
        }
        value={textIn(value)}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{words.choose}</option>
        {[...distinctNames(data?.appConnections ?? [], ({ id }) => shortId(id))].map(([{ id }, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    );
  };

/** The fields that syncs and rotations have in common: where the secrets are, and with which connection. */
export const placeParts = (app: string): Readonly<Record<string, ComponentType<FieldProps>>> => ({
  connectionId: connectionPart(app),
  environment: EnvironmentPart,
  secretPath: folderPart(({ environment }) => environment),
});
