-- On its own: a value of a type can be used only after the transaction that adds it.
ALTER TYPE "private"."message_status" ADD VALUE 'cancelled' AFTER 'dead';
