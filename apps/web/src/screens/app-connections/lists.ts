import type { CofferError, Inputs, Outputs } from '@coffer/client';
import { useQueries, type UseQueryOptions } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import type { Suggestion } from '../../ui/schema-form/context.ts';
import { isEntered, textIn, type Entered } from '../../ui/schema-form/value.ts';

/** What may be entered, by the path of the field. */
type Offered = Readonly<Record<string, readonly Suggestion[]>>;

interface List {
  readonly query: (connectionId: string, entered: Entered) => UseQueryOptions<unknown, CofferError, Offered>;
}

/** A list of what is at an app, for the fields of a form. */
const list = <Area extends keyof Inputs, Procedure extends keyof Inputs[Area] & keyof Outputs[Area] & string>(
  area: Area,
  procedure: Procedure,
  offer: (there: Outputs[Area][Procedure]) => Offered,
  /** What it needs besides the connection. */
  needs: (entered: Entered) => Readonly<Record<string, string>> = () => ({}),
): List => ({
  query(connectionId, entered) {
    const input = { connectionId, ...needs(entered) };
    return {
      // The inputs of all lists are the connection and texts.
      ...(ask(area, procedure, input as unknown as Inputs[Area][Procedure]) as UseQueryOptions<unknown, CofferError>),
      enabled: !Object.values(input).includes(''),
      select: (there) => offer(there as Outputs[Area][Procedure]),
      staleTime: 60_000,
    };
  },
});

const config = (entered: Entered, name: string): string =>
  isEntered(entered['destinationConfig']) ? textIn(entered['destinationConfig'][name]) : '';

const named = (all: readonly { readonly name: string }[]): Suggestion[] =>
  [...new Set(all.map(({ name }) => name))].map((value) => ({ value }));
const byId = (all: readonly { readonly id: string; readonly name: string }[]): Suggestion[] =>
  all.map(({ id, name }) => ({ value: id, label: name }));

const kmsKeys = list(
  'awsConnections',
  'listKmsKeys',
  ({ kmsKeys: keys }) => ({ 'syncOptions.keyId': keys.map(({ id, alias }) => ({ value: id, label: alias })) }),
  (entered) => ({ region: config(entered, 'region') }),
);

/** The lists that help with a destination or a type of rotations. */
const LISTS: Readonly<Record<string, readonly List[]>> = {
  'aws-parameter-store': [kmsKeys],
  'aws-secrets-manager': [kmsKeys],
  github: [
    list('githubConnections', 'listRepositories', ({ repositories }) => ({
      'destinationConfig.owner': named(repositories.map(({ owner }) => ({ name: owner.login }))),
      'destinationConfig.repo': named(repositories),
    })),
    list('githubConnections', 'listOrganizations', ({ organizations }) => ({
      'destinationConfig.org': named(organizations.map(({ login }) => ({ name: login }))),
    })),
    list(
      'githubConnections',
      'listEnvironments',
      ({ environments }) => ({ 'destinationConfig.env': named(environments) }),
      (entered) => ({ owner: config(entered, 'owner'), repo: config(entered, 'repo') }),
    ),
  ],
  camunda: [
    list('camundaConnections', 'listClusters', ({ clusters }) => ({
      'destinationConfig.clusterUUID': clusters.map(({ uuid, name }) => ({ value: uuid, label: name })),
    })),
  ],
  databricks: [
    list('databricksConnections', 'listSecretScopes', ({ secretScopes }) => ({
      'destinationConfig.scope': named(secretScopes),
    })),
  ],
  humanitec: [
    list('humanitecConnections', 'listOrganizations', (organizations) => ({
      'destinationConfig.org': byId(organizations),
      'destinationConfig.app': byId(organizations.flatMap(({ apps }) => apps)),
      'destinationConfig.env': byId(organizations.flatMap(({ apps }) => apps.flatMap(({ envs }) => envs))),
    })),
  ],
  'terraform-cloud': [
    list('terraformCloudConnections', 'listOrganizations', (organizations) => ({
      'destinationConfig.org': named(organizations),
      'destinationConfig.workspaceId': byId(organizations.flatMap(({ workspaces }) => workspaces)),
      'destinationConfig.variableSetId': byId(organizations.flatMap(({ variableSets }) => variableSets)),
    })),
  ],
  'auth0-client-secret': [
    list('auth0Connections', 'listClients', ({ clients }) => ({ 'parameters.clientId': byId(clients) })),
  ],
};

/** What the app of the chosen connection offers for the fields. A list that cannot be read offers nothing. */
export function useSuggestions(type: string, entered: Entered): Offered {
  const connectionId = textIn(entered['connectionId']);
  return useQueries({
    queries: (LISTS[type] ?? []).map(({ query }) => query(connectionId, entered)),
    combine: (answers) => Object.assign({}, ...answers.map(({ data }) => data)) as Offered,
  });
}
