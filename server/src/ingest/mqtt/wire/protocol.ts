/** 3 and 4 are MQTT 3.1 and 3.1.1. */
export type ProtocolVersion = 3 | 4 | 5;

export type QoS = 0 | 1 | 2;
