import HTTPTypes
import Interception

@testable import WebPages

extension FuzzTarget {
  static let pageManifest = FuzzTarget(
    name: "page-manifest", reads: "the signed part of page packages",
    seeds: [manifest([]), manifest(["a.html"]), manifest(["a/b.css", "a/index.html", "\u{FC}"])],
    words: ["index.html", "/", "..", "text/html", "www.estate.example"]
  ) { bytes in
    guard let manifest = try? PageManifest(bytes[...]) else { return }
    try require(manifest.bytes, equals: bytes, "A manifest that is read has no other bytes.")
    try require(manifest.version > 0, "A version is positive.")
    for entry in manifest.entries {
      try require(
        !entry.path.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) },
        "No path leaves the site.", entry.pathText)
      try require(
        entry.digests.count, equals: PageManifest.blocks(in: entry.size), "Each block has a digest.")
    }
  }

  static let pageRange = FuzzTarget(
    name: "page-range", reads: "the Range field of a web view's request, and the length of a file",
    seeds: texts("9 bytes=0-4", "9 bytes=-4", "9 bytes=4-", "0 bytes=0-", "9 bytes=9-", "9 bytes=0-1,3-4"),
    words: ["bytes=", "-", ",", " ", "9223372036854775807"]
  ) { bytes in
    let parts = bytes.split(separator: 0x20, maxSplits: 1)
    guard parts.count == 2, let size = Int(text(parts[0])), size >= 0 else { return }
    let head = HTTPRequest(
      method: .get, scheme: "https", authority: "a.example", path: "/", headerFields: [.range: text(parts[1])]
    )
    switch PageRange(for: head, size: size, tag: "\"1\"") {
    case .whole, .unsatisfiable: break
    case .part(let range):
      try require(
        !range.isEmpty && range.lowerBound >= 0 && range.upperBound <= size, "A part is within the file.",
        "\(range) of \(size)")
    }
  }

  static let pageURL = FuzzTarget(
    name: "page-url", reads: "URLs of pages in the app's scheme, their origins, and paths of packaged files",
    seeds: texts(
      "estate-page://www.estate.example/a?b", "https://www.estate.example/a",
      "<https://www.estate.example/a>; rel=preload, <b>", "/loan/", "/a/%2e%2e/b"),
    words: [
      "estate-page://", "https://", "www.estate.example", ":443", "@", "\\", "<", ">", ";", "%2F", "/..",
    ]
  ) { bytes in
    let origins = try PageOrigins(scheme: "estate-page", sites: ["www.estate.example"])
    let value = text(bytes)
    if let network = origins.networkURL(value) {
      let rest = network.dropFirst("https://www.estate.example".count)
      try require(
        network.hasPrefix("https://www.estate.example") && rest.first.map { "/?#\\".contains($0) } != false,
        "A page leads to its own site only.", network)
      try require(
        origins.pageURL(network).flatMap(origins.networkURL), equals: network, "Mapping back is the same URL."
      )
    }
    if let file = PagePath.file(for: value) {
      try require(PagePath.isValid(file), "A file's path is one that packages have.")
    }
    for name in ["Location", "Link", "Content-Security-Policy"].compactMap({ HTTPField.Name($0) }) {
      let head = HTTPResponse(status: .ok, headerFields: [name: value])
      let mapped = origins.response(head)
      try require(
        origins.response(mapped), equals: mapped, "A response that is mapped has nothing left to map.")
    }
  }

  private static func manifest(_ paths: [String]) -> [UInt8] {
    PageManifest(
      site: "www.estate.example", version: 1,
      entries: paths.map { path in
        PageManifest.Entry(path: Array(path.utf8), type: "text/html", size: 0, digests: [])
      }
    ).bytes
  }
}
