# Writes OUT, a C++ file that holds the text of FILES (separated by "|") under their paths below ROOT.
string(REPLACE "|" ";" FILES "${FILES}")
set(rows "")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH path ${ROOT} ${file})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${hex}")
  # Short pieces keep the compiler's limits on one literal out of the way.
  string(REGEX REPLACE "((\\\\x[0-9a-f][0-9a-f])(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?(\\\\x[0-9a-f][0-9a-f])?)" "\"\\1\"" bytes "${bytes}")
  string(LENGTH "${hex}" digits)
  math(EXPR size "${digits} / 2")
  string(APPEND rows "    {\"${path}\", {\"\" ${bytes}, ${size}}},\n")
endforeach()
file(WRITE ${OUT} "#include \"match/embedded.h\"\n\nnamespace baton {\n\nconst std::vector<EmbeddedFile>& embedded_files() {\n  static const std::vector<EmbeddedFile> files = {\n${rows}  };\n  return files;\n}\n\n}  // namespace baton\n")
