# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# web/dist/viewer.html as a string constant: cmake -DFROM=viewer.html -DTO=viewer.cc -P viewer.cmake. In pieces, because
# compilers need not take long literals.
file(READ ${FROM} page)
set(pieces "")
string(LENGTH "${page}" length)
set(at 0)
while(at LESS length)
  string(SUBSTRING "${page}" ${at} 8000 piece)
  string(APPEND pieces "R\"omnium(${piece})omnium\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE ${TO} "#include \"report/viewer.h\"\nnamespace omnium::report {\nconst std::string_view kViewer = ${pieces};\n}\n")
