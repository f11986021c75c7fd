/** An event as it was written: its fields, not yet understood. */
export interface RawEvent {
  readonly type: string;
  readonly id: string | null;
  readonly data: string;
}

/** What a batch of an event stream holds: events, how long to wait before coming again, or only life. */
export interface EventBatch {
  readonly events: readonly RawEvent[];
  readonly retryMs: number | null;
}

/** Reads an event stream in batches that may end anywhere. */
export function createEventReader(): (text: string) => EventBatch {
  let rest = '';
  let fields: { type: string; id: string | null; data: string[] } = emptyFields();
  return (text) => {
    const events: RawEvent[] = [];
    let retryMs: number | null = null;
    const lines = (rest + text).split(/\r\n|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { name, value } = fieldIn(line);
      if (line === '') {
        const { type, id, data } = fields;
        if (data.length > 0) events.push({ type, id, data: data.join('\n') });
        fields = emptyFields();
      } else if (name === 'data') fields.data.push(value);
      else if (name === 'event') fields.type = value;
      else if (name === 'id') fields.id = value;
      else if (name === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value);
    }
    return { events, retryMs };
  };
}

function emptyFields() {
  return { type: 'message', id: null, data: [] };
}

/** A line that begins with a colon is a comment: its name is empty. */
function fieldIn(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  if (colon < 0) return { name: line, value: '' };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value };
}
