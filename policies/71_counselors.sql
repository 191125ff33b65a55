grant execute on function
  public.list_students(text, text, text, boolean, integer, integer),
  public.read_student(uuid, integer),
  public.list_open_reviews(integer, integer),
  private.student_page(text, text, private.student_sort, boolean, integer, integer),
  private.students_found(text, text),
  private.students_listed(text),
  private.read_student_as_counselor(uuid, integer),
  private.list_reviews_as_counselor(integer, integer)
to authenticated;
