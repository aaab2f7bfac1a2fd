#!/usr/bin/env bash
# A library is a guest in somebody else's process. Fails when the library could do what only the host may: read or change
# the environment, start programs, print, take signals, end the process, change folder, locale, limits or the
# floating-point mode; when it uses functions that follow the host's locale; and when it keeps something that changes for
# the whole process, without a line in house/process_state.txt that says why.
#   check_manners.sh BUILD_FOLDER
# tests/manners looks at the same from outside, while the library works.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=$1
failed=0
complain() { echo "$*"; failed=1; }

forbidden='getenv|secure_getenv|setenv|putenv|unsetenv|clearenv|environ|__environ
|fork|vfork|clone|_Fork|exec[vl][a-z]*|fexecve|posix_spawn[a-z_]*|system|popen|wait[a-z0-9]*
|printf|vprintf|puts|putchar[a-z_]*|perror|psignal|stdout|stderr|stdin|__printf_chk|dprintf|syslog|openlog
|_ZSt4cout|_ZSt4cerr|_ZSt4clog|_ZSt3cin|_ZSt5wcout|_ZSt5wcerr|_ZNSt8ios_base4InitC1Ev
|signal|sigaction|sigprocmask|pthread_sigmask|bsd_signal|sysv_signal|alarm|setitimer|raise|kill
|_ZSt13set_terminatePFvvE|_ZSt15set_new_handlerPFvvE|atexit|at_quick_exit|on_exit|pthread_atfork
|exit|_exit|_Exit|quick_exit|abort|__assert_fail
|setlocale|uselocale|newlocale|duplocale|_ZNSt6locale6globalERKS_
|chdir|fchdir|chroot|umask|dup2|dup3
|setrlimit|setrlimit64|prlimit[64]*|nice|setpriority|sched_setaffinity|pthread_setaffinity_np|sched_setscheduler|prctl|mallopt
|fesetround|fesetenv|feenableexcept|fedisableexcept|feholdexcept|feupdateenv
|srand|rand|srandom|random|drand48|strtok|tzset|localtime|gmtime|ctime|dlopen
|_ZN3tbb6detail2r16createERNS0_2d114global_controlE
|vsnprintf|vsprintf|sprintf|tolower|toupper|isal[a-z]*|is(digit|upper|lower|space|punct|print|xdigit|cntrl|graph)|__ctype_b_loc|__ctype_tolower_loc|__ctype_toupper_loc|strcoll|strxfrm|atof|strtof'

# Room, function, and why it may call it. Nothing else of this list is called anywhere.
allowed='base fork       LoadOptions::isolate asks for a process of its own around a reader that may crash
base waitpid    of that process
base kill       of that process, when the caller cancels
base _exit      in that process
base signal     in that process
base setrlimit  in that process
base dup2       in that process
learn fork      a TorchScript network that the caller named runs in sinew-torch
learn execv     the same
learn waitpid   the same
learn dup2      in that process
learn _exit     in that process
mesh stderr     nanoflann says so before it throws that memory is out
asset chdir     in the class of assimp that lets a reader reach files; ours (assimp_import.cpp) refuses every one
asset _ZNSt8ios_base4InitC1Ev  headers of Draco include <iostream>, and with it the set-up of streams; none is written to'

pattern=$(tr -d '\n' <<<"$forbidden")
called=$(sed -n 's/^\([a-z]*\) .*/\1/p' sinew/rooms.txt | while read -r room; do
  nm --undefined-only "$build/libsinew_$room.a" 2>/dev/null | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort -u |
    grep -xE "$pattern" | sed "s/^/$room /"
done | sort)
permitted=$(awk '{ print $1, $2 }' <<<"$allowed" | sort)
while read -r call; do complain "this room calls what is the host's: $call"; done < <(comm -23 <(echo "$called") <(echo "$permitted") | grep .)
while read -r call; do complain "allowed, but not called any more: $call"; done < <(comm -13 <(echo "$called") <(echo "$permitted") | grep .)

for library in "$build"/lib/libsinew.so "$build"/lib/libsinew_runtime.so; do
  # The floating-point mode is the thread's: the instructions that set it do not occur.
  modes=$(objdump -d --no-show-raw-insn "$library" | grep -cE '\s(v?ldmxcsr|fldcw|fldenv)\b')
  [ "$modes" = 0 ] || complain "$library sets the floating-point mode in $modes places"
done
# Numbers in texts follow the locale, too.
grep -rnE --include='*.cpp' --include='*.h' 'printf\(.*%[-+ #0-9.*l]*[aefgAEFG]' sinew include &&
  complain "number_text and its like (sinew/base/plain_text.h) do not follow the locale of the process"

# What can change after the library is loaded, by section: without constants that only the loader fills in.
state=$(objdump -t -C "$build/lib/libsinew.so" |
  awk '$0 ~ / \.(data|bss|tbss|tdata)\t/ { sub(/^.*\t[0-9a-f]+ +(\.hidden )?/, ""); print }' |
  sed -E 's/^guard variable for //; s/\[abi:cxx11\]//g; s/\(anonymous namespace\)::/{}/g
          s/\([^()]*(\([^()]*\)[^()]*)*\)//g; s/<.*>//g; s/ const::/::/g; s/^sinew:://' | sort -u |
  grep -vE '^(DW\.ref\..*|__dso_handle|__TMC_END__|completed\.0|_edata|_end|__bss_start|\.(data|bss|tbss|tdata))?$')
listed=$(sed -n 's/^\([^#|][^|]*[^| ]\) *|.*/\1/p' tests/house/process_state.txt | sort -u)
[ -n "$state" ] || complain "libsinew.so shows no symbols"
while read -r name; do complain "changes for the whole process, and house/process_state.txt does not say why: $name"; done \
  < <(comm -23 <(echo "$state") <(echo "$listed") | grep .)
while read -r name; do complain "house/process_state.txt lists what is not there: $name"; done \
  < <(comm -13 <(echo "$state") <(echo "$listed") | grep .)
[ "$failed" = 0 ] && echo "the library leaves the process to its host; $(wc -l <<<"$state") things it keeps are listed"
exit "$failed"
