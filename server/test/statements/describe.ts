import type pg from 'pg';

/** A column of a result, as PostgreSQL describes it. */
export interface Column {
  readonly name: string;
  readonly type: PostgresType;
  /** The column of a table that it is; undefined for an expression. */
  readonly origin: Origin | undefined;
}

interface Origin {
  readonly table: string;
  readonly column: string;
  readonly isNotNull: boolean;
}

export interface Description {
  readonly params: readonly PostgresType[];
  readonly columns: readonly Column[];
}

export interface PostgresType {
  readonly name: string;
  /** The type of the elements of an array. */
  readonly element: PostgresType | undefined;
}

interface Field {
  readonly name: string;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeID: number;
}

/** Parses a statement and asks for its parameters and columns, without running it. */
class Describe implements pg.Submittable {
  readonly text: string;
  readonly described: Promise<{ params: readonly number[]; fields: readonly Field[] }>;
  #resolve: (result: { params: readonly number[]; fields: readonly Field[] }) => void = () => {};
  #reject: (error: Error) => void = () => {};
  #params: readonly number[] = [];
  #fields: readonly Field[] = [];

  constructor(text: string) {
    this.text = text;
    this.described = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }: { dataTypeIDs: number[] }) => {
      this.#params = dataTypeIDs;
    });
    connection.parse({ name: '', text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.#fields = fields;
  }

  handleError(error: Error, connection: pg.Connection): void {
    connection.removeAllListeners('parameterDescription');
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve({ params: this.#params, fields: this.#fields });
  }
}

export interface Schema {
  describe(text: string): Promise<Description>;
}

/** Reads the catalogue once. */
export async function openSchema(client: pg.Client): Promise<Schema> {
  const types = await typesOf(client);
  // Columns of views are left out: the catalogue does not know whether they may be null.
  const { rows } = await client.query<Origin & { key: string }>(
    `select attrelid || '.' || attnum as key, relname as table, attname as column,
       attnotnull as "isNotNull"
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where attnum > 0 and relkind in ('r', 'p')`,
  );
  const origins = new Map(rows.map(({ key, ...origin }) => [key, origin]));
  return {
    async describe(text) {
      const { params, fields } = await client.query(new Describe(text)).described;
      return {
        params: params.map(types),
        columns: fields.map(({ name, tableID, columnID, dataTypeID }) => ({
          name,
          type: types(dataTypeID),
          origin: origins.get(`${tableID}.${columnID}`),
        })),
      };
    },
  };
}

async function typesOf(client: pg.Client): Promise<(oid: number) => PostgresType> {
  const { rows } = await client.query<{ oid: number; name: string; element: number }>(
    `select oid, typname as name, case when typcategory = 'A' then typelem else 0 end as element
     from pg_type`,
  );
  const named = new Map(rows.map((row) => [row.oid, row]));
  const typeOf = (oid: number): PostgresType => {
    const { name, element } = named.get(oid) ?? { name: `type ${oid}`, element: 0 };
    return { name, element: element === 0 ? undefined : typeOf(element) };
  };
  return typeOf;
}
