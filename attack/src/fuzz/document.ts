/** The exchange's own OpenAPI document, read as any program reads it. */
import type { Http } from '../http.ts';

/** JSON Schema as far as the document uses it. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly nullable?: boolean;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly schema: Schema;
}

interface Described {
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly 'x-access'?: Access;
  readonly 'x-keys'?: Keys;
  readonly 'x-socket-op'?: string;
}

export type Access = 'public' | 'visitor' | 'client' | 'holder' | 'trader' | `operator:${string}`;
/** The permission that an API key needs; `any` is a key with any, `never` is no key at all. */
export type Keys = 'any' | 'read' | 'trade' | 'never';

export interface Operation {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly access: Access;
  readonly keys: Keys;
  readonly query: Readonly<Record<string, Schema>>;
  readonly params: Readonly<Record<string, Schema>>;
  readonly body: Schema | undefined;
  /** Under which name the private socket takes it; undefined where it does not. */
  readonly op: string | undefined;
}

function placedIn(where: Parameter['in'], parameters: readonly Parameter[]): Record<string, Schema> {
  return Object.fromEntries(parameters.filter((one) => one.in === where).map(({ name, schema }) => [name, schema]));
}

/** @throws where an operation does not say who may make it */
export async function readOperations(http: Http): Promise<Operation[]> {
  const answer = await http.send('GET', '/docs/json');
  const { paths } = answer.json<{ paths: Record<string, Record<string, Described>> }>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { parameters = [], requestBody } = described;
      const { 'x-access': access, 'x-keys': keys } = described;
      if (access === undefined || keys === undefined) throw new Error(`${method} ${path} does not say who may make it`);
      return {
        method: method.toUpperCase(),
        path,
        access,
        keys,
        op: described['x-socket-op'],
        query: placedIn('query', parameters),
        params: placedIn('path', parameters),
        body: requestBody?.content['application/json']?.schema,
      };
    }),
  );
}
