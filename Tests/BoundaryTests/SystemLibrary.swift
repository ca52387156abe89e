/// A library of the system that products link on Linux.
enum SystemLibrary: String, CaseIterable, Comparable {
  case libcurl
  case openSSL = "OpenSSL"
  case zlib
  case brotli
  case zstd
  case sqlite = "SQLite"
  case hiredis

  /// The names that the linker is asked for, which begin with `lib` as files.
  var linked: [String] {
    switch self {
    case .libcurl: ["curl", "ssl"]
    case .openSSL: ["crypto"]
    case .zlib: ["z"]
    case .brotli: ["brotlidec", "brotlienc"]
    case .sqlite: ["sqlite3"]
    case .zstd, .hiredis: [rawValue]
    }
  }

  /// The package of Debian and Ubuntu.
  var package: String {
    switch self {
    case .libcurl: "libcurl4-openssl-dev"
    case .openSSL: "libssl-dev"
    case .zlib: "zlib1g-dev"
    case .sqlite: "libsqlite3-dev"
    case .brotli, .zstd, .hiredis: "lib\(rawValue)-dev"
    }
  }

  /// Whether it is a part of Apple's platforms.
  var isOnApplePlatforms: Bool { self == .zlib || self == .sqlite }

  /// Finds the library that has one of these names for the linker.
  init?(linked name: String) {
    guard let library = Self.allCases.first(where: { $0.linked.contains(name) }) else { return nil }
    self = library
  }

  static func < (left: Self, right: Self) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}

/// A part of Foundation; each one contains those before it.
enum FoundationPart: String, CaseIterable, Comparable {
  case essentials = "FoundationEssentials"
  case whole = "Foundation"
  case networking = "FoundationNetworking"

  static func < (left: Self, right: Self) -> Bool {
    (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
  }
}
