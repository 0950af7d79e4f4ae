import type { InputsOf, OutputsOf } from './call.ts';
import type { Api } from './contract/index.ts';

export type { CallOptions, Mutation, NoInput, Query, Subscription, SubscriptionOptions, StreamItem } from './call.ts';
export { createCofferClient, type CofferClient, type CofferClientOptions } from './client.ts';
export type * from './contract/index.ts';
export { CofferError, type Issue } from './error.ts';
export type { MachineCredentials, RenewableToken, TokenSource } from './login.ts';
export type { Fetch, FetchInit, FetchResponse } from './request.ts';

/** The input of each procedure: `Inputs['secrets']['list']`. */
export type Inputs = InputsOf<Api>;
/** The output of each procedure, and the events of each subscription: `Outputs['secrets']['list']`. */
export type Outputs = OutputsOf<Api>;
