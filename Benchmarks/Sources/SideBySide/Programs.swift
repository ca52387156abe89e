import Foundation

/// The paths of the measured programs.
struct Programs {
  /// The folder of the built programs.
  let folder: String
  /// The class path of OkHttp and its peer; nil if it was not built.
  let okHttpClasses: String?
  /// The folder of a libcurl that was built with WebSockets; nil for the system's.
  var newerLibcurl: String?
  /// The folder of a libcurl with HTTP/3; nil if there is none.
  var newestLibcurl: String?
  /// The server of loads over HTTP/3; nil if it is not installed.
  var caddy: String?
  /// The program of a line that delays and loses packets; nil if it is unknown.
  var delayLine: String?
  /// The shared vectors of the default signature; nil if they are unknown.
  var signatureVectors: String?
  /// The folder of the Python programs; nil if it is unknown.
  var pythonFolder: String?

  func ours(_ subcommand: String, _ arguments: [String]) -> Program {
    Program(path: "\(folder)/SwitchyardPeer", arguments: [subcommand] + arguments)
  }

  func library(_ subcommand: String, _ arguments: [String]) -> Program {
    Program(path: "\(folder)/LibraryPeer", arguments: [subcommand] + arguments)
  }

  func probe(_ subcommand: String, _ arguments: [String]) -> Program {
    Program(path: "\(folder)/AllocationProbe", arguments: [subcommand] + arguments)
  }

  func activity(_ subcommand: String, _ arguments: [String]) -> Program {
    Program(path: "\(folder)/ActivityPeer", arguments: [subcommand] + arguments)
  }

  func store(_ subcommand: String, _ arguments: [String]) -> Program {
    Program(path: "\(folder)/StorePeer", arguments: [subcommand] + arguments)
  }

  func growth(_ arguments: [String]) -> Program {
    Program(path: "\(folder)/GrowthPeer", arguments: arguments, limit: 900)
  }

  /// Returns a peer's program for a wire load.
  func wire(_ peer: Peer, _ arguments: [String]) throws -> Program {
    switch peer {
    case .ours: return ours("wire", arguments)
    case .oursStandardSix: return ours("wire", arguments + ["--chain", "standard-six"])
    case .oursDecoding: return ours("wire", arguments + ["--chain", "decoding-alone"])
    case .oursAppChain: return ours("wire", arguments + Self.appChain())
    case .oursUncachedAppChain: return ours("wire", arguments + Self.appChain(without: .caching))
    case .oursOnLoop: return ours("wire", arguments + ["--on-loop"])
    case .oursOverHTTP2: return ours("wire", arguments)
    case .oursWithoutSpinning: return ours("wire", arguments + ["--without-spinning"])
    case .cProgram: return Program(path: "\(folder)/MultiPeer", arguments: arguments)
    case .cProgramDecoding:
      return Program(path: "\(folder)/MultiPeer", arguments: arguments + ["--accept-encoding", "gzip"])
    case .asyncHTTPClient: return Program(path: "\(folder)/AsyncHTTPClientPeer", arguments: arguments)
    case .urlSession: return Program(path: "\(folder)/URLSessionPeer", arguments: arguments)
    case .okHttp: return try okHttp(arguments)
    case .okHttpChain: return try okHttpChain("caching", arguments)
    case .okHttpUncachedChain: return try okHttpChain("uncached", arguments)
    case .bareChain, .oursStorm, .oursOpening, .oursVerifying, .oursAPIs, .hop, .jsonDecoder, .cLibrary,
      .oneReader, .openSSL, .python, .unconnected:
      throw Trouble("\(peer.rawValue) has no load over the wire")
    }
  }

  /// Returns a peer's program for a chain that ends in a stub.
  func chain(_ peer: Peer, _ shape: ChainShape, _ arguments: [String]) throws -> Program {
    switch peer {
    case .okHttp: try okHttp(["--chain", shape.name] + arguments)
    case .bareChain: ours("chain", ["--shape", "six-bare"] + arguments)
    case .oursStorm: ours("storm", arguments)
    case .oursOpening: ours("open", arguments)
    case .oursVerifying: ours("verify", arguments)
    case .oursAPIs: ours("apis", ["--params", shape.name] + arguments)
    default: ours("chain", ["--shape", shape.name] + arguments)
    }
  }

  /// Returns a peer's program for messages over a WebSocket.
  ///
  /// Ours and the C program run on the same libcurl.
  func echo(_ peer: Peer, _ arguments: [String]) throws -> Program {
    switch peer {
    case .ours: return onNewerLibcurl(ours("echo", arguments))
    case .cProgram: return onNewerLibcurl(Program(path: "\(folder)/WebSocketPeer", arguments: arguments))
    default: return try python(["echo"] + arguments)
    }
  }

  /// Returns a peer's program for idle WebSockets.
  func idle(_ peer: Peer, _ arguments: [String]) throws -> Program {
    try peer == .ours ? ours("idle", arguments) : python(["idle"] + arguments)
  }

  private func onNewerLibcurl(_ program: Program) -> Program {
    newerLibcurl.map { program.on($0) } ?? program
  }

  /// Returns a program as it runs over HTTP/3: on a libcurl that has it.
  func onNewestLibcurl(_ program: Program) throws -> Program {
    guard let newestLibcurl else {
      throw Trouble("libcurl 8.23 is not unpacked; run Scripts/newer-libcurl --version 8.23")
    }
    return program.on(newestLibcurl)
  }

  /// Returns the peer on Python's websockets, with the interpreter that Debian's packages are for.
  private func python(_ arguments: [String]) throws -> Program {
    let (interpreter, module) = ("/usr/bin/python3", "/usr/lib/python3/dist-packages/websockets/__init__.py")
    guard let pythonFolder, FileManager.default.fileExists(atPath: module) else {
      throw Trouble("python3-websockets is not installed; run Scripts/install-dependencies --benchmarks")
    }
    return Program(path: interpreter, arguments: ["\(pythonFolder)/websocket_peer.py"] + arguments)
  }

  /// Returns the options for the chain of an app, or for what is left of it without a part.
  static func appChain(without part: AppChainPart? = nil) -> [String] {
    ["--chain", "app-chain"] + (part.map { ["--leaving-out", $0.rawValue] } ?? [])
  }

  /// Returns OkHttp's peer with the duties of an app's chain, which first checks its signatures.
  private func okHttpChain(_ kind: String, _ arguments: [String]) throws -> Program {
    guard let signatureVectors else { throw Trouble("--signature-vectors is not given") }
    return try okHttp(arguments + ["--app-chain", kind, "--vectors", signatureVectors])
  }

  /// Returns OkHttp's peer.
  func okHttp(_ arguments: [String]) throws -> Program {
    guard let okHttpClasses else {
      throw Trouble("OkHttp or a JDK is not installed; run Scripts/bench --okhttp")
    }
    guard let java = Program.find("java") else { throw Trouble("java is not in the PATH") }
    return Program(path: java, arguments: ["-cp", okHttpClasses, "OkHttpPeer"] + arguments)
  }
}
