import Testing

@Suite struct RequirementsTableTests {
  private let table = RequirementsTable(
    """
    # name | linked
    [libraries]
    libcurl | curl, ssl | libcurl4-openssl-dev | -
    zlib | z | zlib1g-dev | part of the system

    [products]
    Interception | -
    Inspection | - | SQLite: SQLite, Foundation
    Transport | libcurl, zlib, FoundationEssentials

    [only on Linux]
    Transport | epoll
    """)

  @Test(
    "A product's libraries are read without those of traits",
    arguments: [
      ("Interception", []), ("Inspection", []), ("Transport", ["libcurl", "zlib", "FoundationEssentials"]),
    ] as [(String, Set<String>)])
  func products(name: String, libraries: Set<String>) {
    #expect(table.products[name] == libraries)
    #expect(table.products.count == 3)
  }

  @Test(
    "A library that a program loads is known by the name of its file",
    arguments: [
      (["libswiftCore.so", "libc.so.6"], []), (["libz.so.1"], ["zlib"]), (["libssl.so.3"], ["libcurl"]),
      (["libzstd.so.1"], []), (["libFoundationEssentials.so"], ["FoundationEssentials"]),
      (["libFoundation.so", "libFoundationEssentials.so", "lib_FoundationICU.so"], ["Foundation"]),
    ] as [([String], Set<String>)])
  func loaded(files: [String], names: Set<String>) {
    let output = files.map { "\t\($0) => /usr/lib/\($0) (0x00007f7c)\n" }.joined()
    #expect(table.listed(among: LinkedLibraries(ldd: output)) == names)
  }
}
