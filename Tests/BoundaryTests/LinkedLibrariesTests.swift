import Testing

@Suite struct LinkedLibrariesTests {
  private let output = """
    \tlinux-vdso.so.1 (0x00007ffd5a9f2000)
    \tlibswiftCore.so => /usr/lib/swift/linux/libswiftCore.so (0x00007f7c)
    \tlibcurl.so.4 => /lib/x86_64-linux-gnu/libcurl.so.4 (0x00007f7c)
    \tlibFoundationEssentials.so => not found
    \tlib_FoundationICU.so => /usr/lib/swift/linux/lib_FoundationICU.so (0x00007f7c)
    \t/lib64/ld-linux-x86-64.so.2 (0x00007f7c)
    """

  @Test("The libraries that ldd lists are parsed by name")
  func names() {
    let libraries = LinkedLibraries(ldd: output)
    #expect(libraries.names.first == "linux-vdso.so.1")
    #expect(libraries.names.last == "ld-linux-x86-64.so.2")
    #expect(libraries.missing == ["libFoundationEssentials.so"])
  }

  @Test(
    "What a program needs is known by the files that it loads",
    arguments: [
      (["libswiftCore.so", "libc.so.6"], [], nil), (["libz.so.1"], [.zlib], nil),
      (["libssl.so.3"], [.libcurl], nil), (["libcrypto.so.3", "libzstd.so.1"], [.openSSL, .zstd], nil),
      (["libFoundationEssentials.so"], [], .essentials),
      (["libFoundation.so", "libFoundationEssentials.so", "lib_FoundationICU.so"], [], .whole),
    ] as [([String], Set<SystemLibrary>, FoundationPart?)])
  func needs(files: [String], libraries: Set<SystemLibrary>, foundation: FoundationPart?) {
    let output = files.map { "\t\($0) => /usr/lib/\($0) (0x00007f7c)\n" }.joined()
    let needs = PackageGraph.Needs(libraries: libraries, foundation: foundation)
    #expect(LinkedLibraries(ldd: output).needs == needs)
  }
}
