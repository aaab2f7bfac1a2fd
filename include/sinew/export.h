/* SINEW_API marks what the shared libraries export: everything else in them is hidden. Every function and every class
 * with functions outside its header that stands in a public header carries it. For C and C++. */
#ifndef SINEW_EXPORT_H
#define SINEW_EXPORT_H

#if defined(__GNUC__)
#define SINEW_API __attribute__((visibility("default")))
#else
#define SINEW_API
#endif

#endif
