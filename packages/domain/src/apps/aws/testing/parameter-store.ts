import { AwsRefusal } from './answer.ts';
import { tagged, untagged } from './tags.ts';

type Input = Record<string, unknown>;

export interface StoredParameter {
  value: string;
  type: unknown;
  keyId?: unknown;
  tags?: { Key: string; Value: string }[];
}

/** AWS Parameter Store, as far as syncs use it. */
export class ParameterStore {
  readonly parameters = new Map<string, StoredParameter>();

  #resource({ ResourceType, ResourceId }: Input): StoredParameter {
    const parameter = this.parameters.get(String(ResourceId));
    if (ResourceType !== 'Parameter' || !parameter) throw new AwsRefusal(400, 'InvalidResourceId');
    return parameter;
  }

  readonly actions: Record<string, (input: Input) => object> = {
    GetParametersByPath: ({ Path, WithDecryption, MaxResults, NextToken, Recursive }) => {
      if (WithDecryption !== true || Recursive === true || Number(MaxResults) > 10)
        throw new AwsRefusal(400, 'ValidationException', 'Not like this');
      const folder = Path === '/' ? '/' : `${String(Path)}/`;
      const all = [...this.parameters]
        .filter(([name]) => name.startsWith(folder) && !name.slice(folder.length).includes('/'))
        .map(([Name, { value, type }]) => ({ Name, Value: value, Type: type }));
      const from = Number(NextToken ?? 0);
      const to = from + Number(MaxResults);
      return { Parameters: all.slice(from, to), ...(to < all.length && { NextToken: String(to) }) };
    },
    PutParameter: ({ Name, Value, Type, KeyId, Tags, Overwrite }) => {
      const name = String(Name);
      if (this.parameters.has(name) && Overwrite !== true) throw new AwsRefusal(400, 'ParameterAlreadyExists');
      if (Tags !== undefined && Overwrite === true)
        throw new AwsRefusal(400, 'ValidationException', "tags and overwrite can't be used together");
      if (String(Value) === '') throw new AwsRefusal(400, 'ValidationException', 'Too short');
      this.parameters.set(name, {
        value: String(Value),
        type: Type,
        ...(KeyId !== undefined && { keyId: KeyId }),
        ...(Tags !== undefined && { tags: Tags as StoredParameter['tags'] }),
      });
      return { Version: 1 };
    },
    ListTagsForResource: (input) => ({ TagList: this.#resource(input).tags ?? [] }),
    AddTagsToResource: (input) => {
      const parameter = this.#resource(input);
      parameter.tags = tagged(parameter.tags, input['Tags']);
      return {};
    },
    RemoveTagsFromResource: (input) => {
      const parameter = this.#resource(input);
      parameter.tags = untagged(parameter.tags, input['TagKeys']);
      return {};
    },
    DeleteParameter: ({ Name }) => {
      if (!this.parameters.delete(String(Name))) throw new AwsRefusal(400, 'ParameterNotFound');
      return {};
    },
  };
}
