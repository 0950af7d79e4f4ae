import type { InputsOf, OutputsOf } from './call.ts';
import type { Api } from './contract/index.ts';

export type { CallOptions, Mutation, NoInput, Query, Subscription, SubscriptionOptions, StreamItem } from './call.ts';
export { createCofferClient, type CofferClient, type CofferClientOptions } from './client.ts';
export type * from './contract/index.ts';
export { CofferError, type Issue } from './error.ts';
export type { MachineCredentials, TokenSource } from './login.ts';
export type { Fetch, FetchInit, FetchResponse } from './request.ts';

/** What each procedure takes: `Inputs['secrets']['list']`. */
export type Inputs = InputsOf<Api>;
/** What each procedure answers, and a subscription tells: `Outputs['secrets']['list']`. */
export type Outputs = OutputsOf<Api>;
