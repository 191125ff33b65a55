-- Before the next migration: a value can be used only once the transaction that adds it is over.
alter type "public"."audit_action" add value 'training_changed' before 'students_listed';
alter type "public"."audit_action" add value 'training_graded' before 'students_listed';
