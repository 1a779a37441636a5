// SPDX-License-Identifier: Apache-2.0
// What the loader makes of libraries that keep the rules, and the exact
// sentence for each way of breaking one.
#include "plugin/catalog.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>

#include "folder.hpp"

using namespace cowbench;

TEST_CASE("a good library is described completely") {
  const Folder folder;
  const auto file = folder.add("good");
  const Catalog catalog = folder.load();
  CHECK(catalog.refusals().empty());
  CHECK(catalog.warnings().empty());
  REQUIRE(catalog.plugins().size() == 2);

  const Plugin* layer = catalog.layer("good");
  REQUIRE(layer != nullptr);
  CHECK(layer->id == "org.example.good-layer");
  CHECK(layer->version == "1.0");
  CHECK(layer->licence == "Apache-2.0");
  CHECK(layer->home_page.empty());
  CHECK(layer->path == file);
  CHECK(layer->compiler == "C");
  CHECK(layer->abi_minor == COWBENCH_ABI_MINOR);
  REQUIRE(layer->options.size() == 2);
  CHECK(layer->options[0].type == OptionType::kSize);
  CHECK(layer->options[0].default_value == "64KiB");
  CHECK(layer->options[0].maximum == 1 << 20);
  CHECK(layer->options[1].allowed == std::vector<std::string>{"fast", "safe"});
  CHECK(layer->options[1].required);
  CHECK_FALSE(layer->options[1].default_value);
  REQUIRE(layer->requirements.size() == 1);
  CHECK(layer->requirements[0].package == "goodprogs");
  CHECK(layer->offered_abilities ==
        std::vector<std::string>{COWBENCH_USAGE_ID});
  CHECK(layer->layer.verify == nullptr);

  const Plugin* phase = catalog.phase("good");
  REQUIRE(phase != nullptr);
  REQUIRE(phase->metrics.size() == 1);
  CHECK(phase->metrics[0].better == -1);
  CHECK(phase->metrics[0].method_version == 3);
  CHECK(phase->metrics[0].detail);
  CHECK(phase->needed_abilities ==
        std::vector<std::string>{COWBENCH_REFLINK_ID});

  const Vocabulary vocabulary = catalog.vocabulary();
  CHECK(vocabulary.layers.at("good").maximum_devices == 8);
  CHECK_FALSE(vocabulary.layers.at("good").output_is_mount);
  CHECK(vocabulary.phases.at("good").before_stack);
  CHECK(vocabulary.phases.at("good").options.size() == 2);
}

TEST_CASE("a missing tail of an older table reads as absent") {
  const Folder folder;
  folder.add("older_tables");
  const Catalog catalog = folder.load();
  const Plugin* plugin = catalog.layer("older");
  REQUIRE(plugin != nullptr);
  CHECK(plugin->layer.verify == nullptr);
  CHECK(plugin->layer.activate != nullptr);
  REQUIRE(plugin->options.size() == 1);
  CHECK(plugin->options[0].default_value == "3");
  CHECK(plugin->options[0].allowed.empty());
  CHECK_FALSE(plugin->options[0].required);
}

TEST_CASE("a longer tail of a newer table is ignored") {
  const Folder folder;
  folder.add("newer_tables");
  const Catalog catalog = folder.load();
  const Plugin* plugin = catalog.phase("newer");
  REQUIRE(plugin != nullptr);
  CHECK(plugin->phase.struct_size > sizeof(cowbench_phase));
  CHECK(plugin->phase.run(nullptr) == COWBENCH_OK);
}

TEST_CASE("ABI version 0 must match exactly") {
  CHECK(refusal_of("version_older") ==
        "is built for plugin ABI 0.0, but this cowbench takes exactly 0.2: "
        "rebuild it with this cowbench's SDK");
  CHECK(refusal_of("version_newer") ==
        "is built for plugin ABI 0.3, but this cowbench takes exactly 0.2: "
        "use a newer cowbench");
  CHECK(refusal_of("wrong_major") ==
        "is built for plugin ABI major 1, but this cowbench takes major 0: "
        "rebuild it with this cowbench's SDK");
}

TEST_CASE("a library may decline with a reason") {
  CHECK(refusal_of("declines") ==
        "declines to work with this cowbench: it needs a host with observers");
}

TEST_CASE("a library without plugins or without an end is refused") {
  CHECK(refusal_of("empty") == "offers no plugin");
  CHECK(refusal_of("endless") == "describes more than 1000 plugins");
}

TEST_CASE("missing callbacks are all named") {
  CHECK(refusal_of("missing_callback") ==
        "plugin \"org.example.no-assemble\": its layer table lacks the "
        "required callbacks assemble, activate; "
        "plugin \"org.example.no-run\": its phase table lacks the required "
        "callback run; "
        "plugin \"org.example.no-usage\": its ability cowbench.usage/0 lacks "
        "the required callbacks supports, usage; "
        "plugin \"org.example.no-interface\": it lacks the required callback "
        "interface");
}

TEST_CASE("malformed words refuse their plugin and no other") {
  const Folder folder;
  const auto file = folder.add("bad_words");
  const Catalog catalog = folder.load();
  REQUIRE(catalog.plugins().size() == 1);
  CHECK(catalog.phase("words") != nullptr);
  std::vector<std::string> sentences;
  for (const Refusal& refusal : catalog.refusals()) {
    sentences.push_back(refusal.sentence());
  }
  const std::string at = file.string() + ": ";
  REQUIRE(sentences.size() == 7);
  CHECK(sentences[0] ==
        at + "plugin \"nodots\": its id \"nodots\" is not a reverse domain in "
             "lower case, as in \"org.example.thing\"; its name \"Bad Name\" "
             "is not a lower case word (letters, digits, - and _)");
  CHECK_THAT(sentences[1],
             Catch::StartsWith(
                 at + "plugin \"org.example.options\": option \"size\" has "
                      "the default \"big\", which it does not take: "));
  CHECK_THAT(
      sentences[1],
      Catch::EndsWith("; option \"count\" is described twice; option key "
                      "\"Upper-Case\" is not lower case words joined by "
                      "underscores; option \"novel\" has the unknown type 77"));
  CHECK(sentences[2] ==
        at + "plugin \"org.example.metrics\": its stage is of the unknown "
             "kind 9; metric \"speed\" lacks its unit, label or definition; "
             "metric \"speed\" says neither higher, lower nor neither is "
             "better; metric \"speed\" is described twice");
  CHECK(sentences[3] ==
        at + "plugin \"org.example.odd\": its output is of the unknown kind "
             "4; it wants at least 3 devices and at most 2");
  CHECK(sentences[4] ==
        at + "plugin \"org.example.both\": it answers as a layer and as a "
             "phase; it must be one of them");
  CHECK(sentences[5] ==
        at + "plugin \"org.example.bare\": it has no version; it has no "
             "summary; it names no licence");
  CHECK_THAT(sentences[6], Catch::EndsWith("describes more than 1000 options"));
}

TEST_CASE("a crash while being described refuses and names the signal") {
  CHECK(refusal_of("crash_entry") ==
        "crashed with SIGSEGV while it was loaded and described");
  CHECK(refusal_of("crash_descriptor") ==
        "crashed with SIGSEGV while it was loaded and described");
}

TEST_CASE("a library that ends the process is refused") {
  CHECK(refusal_of("exit_entry") ==
        "ended the process with exit status 3 while it was loaded and "
        "described");
}

TEST_CASE("a hang is ended and refused") {
  const Folder folder;
  PluginSearch search;
  search.files = {folder.add("hang_entry"), folder.add("good")};
  search.patience = std::chrono::milliseconds(300);
  const Catalog catalog = Catalog::load(search);
  REQUIRE(catalog.refusals().size() == 1);
  CHECK(catalog.refusals()[0].reason ==
        "did not describe itself within 300 ms and was ended with SIGKILL");
  CHECK(catalog.plugins().size() == 2);
}

TEST_CASE("an undefined symbol is found at load time and named") {
  const std::string reason = refusal_of("undefined_symbol");
  CHECK_THAT(reason, Catch::StartsWith("cannot be loaded: "));
  CHECK_THAT(reason,
             Catch::EndsWith("undefined symbol: cowbench_no_such_function"));
}

TEST_CASE("an exception out of a descriptor is fenced") {
  CHECK(refusal_of("raw_throw_described") ==
        "cowbench_entry_v0 threw across the border: no such interface: "
        "cowbench.layer/0");
}

TEST_CASE("what is not ELF is refused") {
  const Folder folder;
  write_bytes(folder.file("text"), "#!/bin/sh\necho not a library\n");
  CHECK(only_refusal(folder.load()) == "is not an ELF file");
}

TEST_CASE("an empty file is refused") {
  const Folder folder;
  write_bytes(folder.file("void"), "");
  CHECK(only_refusal(folder.load()) == "is not an ELF file");
}

TEST_CASE("a folder named like a library is refused") {
  const Folder folder;
  std::filesystem::create_directory(folder.file("folder"));
  CHECK(only_refusal(folder.load()) == "is not a regular file");
}

TEST_CASE("a library cut short is refused wherever the cut is") {
  const Folder folder;
  const std::string whole = read_bytes(folder.add("good"));
  for (std::size_t size :
       {std::size_t{5}, std::size_t{40}, std::size_t{64}, std::size_t{1000},
        whole.size() / 2, whole.size() - 1}) {
    write_bytes(folder.file("good"), whole.substr(0, size));
    CHECK_THAT(only_refusal(folder.load()), Catch::StartsWith("is cut short"));
  }
}

TEST_CASE("a library of another machine is refused before loading") {
  const Folder folder;
  std::string bytes = read_bytes(folder.add("good"));
  bytes[18] = static_cast<char>(0xb7);  // e_machine: 183, AArch64
  bytes[19] = 0;
  write_bytes(folder.file("good"), bytes);
  const std::string reason = only_refusal(folder.load());
  CHECK_THAT(reason, Catch::StartsWith("is built for another machine (ELF "
                                       "machine 183, class 2; this one is "));
}

TEST_CASE("a foreign library is never loaded") {
  const Folder folder;
  const auto witness = folder.path() / "witness";
  ::setenv("COWBENCH_TEST_WITNESS", witness.c_str(), 1);
  folder.add("foreign");
  CHECK(only_refusal(folder.load()) ==
        "is no cowbench plugin: it does not export cowbench_entry_v0");
  CHECK_FALSE(std::filesystem::exists(witness));
  ::unsetenv("COWBENCH_TEST_WITNESS");
}

TEST_CASE("a library that others can write is not trusted") {
  const Folder folder;
  const auto file = folder.add("good");
  ::chmod(file.c_str(), 0775);
  CHECK(only_refusal(folder.load()) ==
        "cannot be trusted: file " + file.string() +
            " can be written by others (mode 0775); run \"chmod go-w " +
            file.string() + "\"");
}

TEST_CASE("a library below a directory that others can write is not trusted") {
  const Folder folder;
  folder.add("good");
  ::chmod(folder.path().c_str(), 0777);
  CHECK(only_refusal(folder.load()) ==
        "cannot be trusted: directory " + folder.path().string() +
            " can be written by others (mode 0777); run \"chmod go-w " +
            folder.path().string() + "\"");
  ::chmod(folder.path().c_str(), 01777);
  CHECK(folder.load().plugins().size() == 2);
}

TEST_CASE("the first of two plugins with one id or name wins") {
  const Folder folder;
  const std::string first = folder.add("first").string();
  const std::string same_id = folder.add("same_id").string();
  const std::string same_name = folder.add("same_name").string();
  const Catalog catalog = folder.load();
  CHECK(catalog.refusals().empty());
  REQUIRE(catalog.plugins().size() == 1);
  CHECK(catalog.plugins()[0].path == first);
  CHECK(catalog.warnings() ==
        std::vector<std::string>{
            "plugin \"org.example.one\" of " + same_id +
                " is ignored: " + first + ", found earlier, has the same id",
            "plugin \"org.example.two\" of " + same_name + " is ignored: " +
                first + ", found earlier, has the same name \"one\""});
}

TEST_CASE("explicit files come first and nothing is loaded twice") {
  const Folder near;
  const Folder far;
  near.add("first");
  const auto chosen = far.add("same_name");
  std::filesystem::create_symlink(chosen, near.file("a_link"));
  PluginSearch search;
  search.files = {chosen};
  search.directories = {near.path()};
  const Catalog catalog = Catalog::load(search);
  REQUIRE(catalog.plugins().size() == 1);
  CHECK(catalog.plugins()[0].path == chosen);
  CHECK(catalog.warnings().size() == 1);
}

TEST_CASE("a missing file is a refusal and a missing directory a warning") {
  PluginSearch search;
  search.files = {"/nowhere/x.so"};
  search.directories = {"/nowhere"};
  const Catalog catalog = Catalog::load(search);
  CHECK(only_refusal(catalog) == "cannot be read: No such file or directory");
  CHECK(catalog.warnings() ==
        std::vector<std::string>{
            "no plugins from /nowhere: No such file or directory"});
}

TEST_CASE("what was examined before is loaded without a child process") {
  const Folder folder;
  PluginSearch search;
  search.files = {folder.add("good"), folder.add("foreign"),
                  folder.add("undefined_symbol"), folder.add("empty")};
  search.examined = true;
  search.patience = std::chrono::milliseconds(0);  // a child would be late
  const Catalog catalog = Catalog::load(search);
  CHECK(catalog.plugins().size() == 2);
  CHECK(catalog.refusals().size() == 3);
}

TEST_CASE("one bad library does not keep the others out") {
  const Folder folder;
  for (const char* name : {"crash_entry", "good", "empty", "foreign"}) {
    folder.add(name);
  }
  const Catalog catalog = folder.load();
  CHECK(catalog.plugins().size() == 2);
  CHECK(catalog.refusals().size() == 3);
}
