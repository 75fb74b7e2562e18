// Text of lines and words, as OBJ and MTL are: one statement a line, the first word says what it is. A
// backslash at the end of a line carries on in the next, '#' begins a comment. Lines may end as on any system.

#ifndef PLIANT_AUTHOR_IO_LINES_H
#define PLIANT_AUTHOR_IO_LINES_H

#include "io/slice.h"

typedef struct line_reader {
    const char *at, *end;
    int line;   // where the statement begins, from 1
    int breaks; // passed so far
    bool is_inside;
} line_reader;

// A byte order mark is passed over.
line_reader pli_lines_begin(const char *text, size_t size);
// Goes to the next statement, passing over what is left of this one; false at the end of the text.
bool pli_lines_next(line_reader *reader);
// The next word; false at the end of the statement.
bool pli_lines_word(line_reader *reader, slice *word);
// The rest of the line without blanks around it: a name, which may hold blanks and '#'.
slice pli_lines_rest(line_reader *reader);

// A decimal number that a float can hold; false for anything else.
bool pli_slice_float(slice word, float *value);
// Reads words as long as they are numbers, at most `most`, and returns how many there were. The first word
// that is none is left where it is.
int pli_lines_floats(line_reader *reader, float *values, int most);

#endif
