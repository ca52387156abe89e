import Foundation
import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct LoadedLibraryTests {
  private static let old = LoadedLibrary(
    version: LibraryVersion(7, 74), hasHTTP2: false, tls: "GnuTLS/3.7.1")

  @Test("A version is read from libcurl's number")
  func versions() {
    let version = LibraryVersion(number: 0x07_58_01)
    #expect(version == LibraryVersion(7, 88, 1))
    #expect(version.description == "7.88.1")
    let ordered = [LibraryVersion(7, 9, 9), version, .init(8, 0), .init(8, 0, 1), .init(8, 14)]
    #expect(ordered.shuffled().sorted() == ordered)
  }

  @Test("H10: the tests run on a libcurl that the dispatcher supports, and on the one that was chosen")
  func loaded() {
    let library = LoadedLibrary.loaded()
    // Scripts/newer-libcurl sets it.
    if let chosen = ProcessInfo.processInfo.environment["SWITCHYARD_LIBCURL"] {
      #expect("\(library.version).".hasPrefix("\(chosen)."))
    }
    #expect(library.shortcoming == nil)
    #expect(library.tls.contains("OpenSSL/"))
  }

  @Test(
    "OpenSSL is recognized by its name, unless that is in parentheses",
    arguments: [
      ("OpenSSL/3.0.17", true), ("quictls/3.1.4", true), ("(GnuTLS/3.7.9) OpenSSL/3.0.17", true),
      ("(OpenSSL/3.0.17) GnuTLS/3.7.9", false), ("GnuTLS/3.7.9", false), ("LibreSSL/3.3.6", false),
      ("BoringSSL", false), ("AWS-LC", false), ("mbedTLS/3.5.1", false), ("", false),
    ])
  func tls(text: String, isOpenSSL: Bool) {
    #expect(LoadedLibrary(version: LibraryVersion(8, 14), tls: text).hasOpenSSL == isOpenSSL)
  }

  @Test(
    "H10: a library that is too old, or lacks HTTP/2 or OpenSSL, is named beside what is needed",
    arguments: [
      (LoadedLibrary(version: LibraryVersion(7, 87, 0)), "libcurl 7.87.0 with HTTP/2 and with OpenSSL/3 "),
      (.init(version: .init(7, 88, 1), hasHTTP2: false), "libcurl 7.88.1 with no HTTP/2 and with OpenSSL/3 "),
      (
        .init(version: .init(8, 14, 1), tls: "GnuTLS/3.7.9"),
        "libcurl 8.14.1 with HTTP/2 and with GnuTLS/3.7.9 "
      ),
      (.init(version: .init(8, 14, 1), tls: ""), "libcurl 8.14.1 with HTTP/2 and with no TLS "),
      (old, "libcurl 7.74.0 with no HTTP/2 and with GnuTLS/3.7.1 "),
    ])
  func shortcomings(library: LoadedLibrary, words: String) throws {
    let sentence = try #require(library.shortcoming)
    #expect(sentence.hasPrefix(words))
    #expect(sentence.contains("needs libcurl 7.88.0 or newer with HTTP/2 and OpenSSL"))
  }

  @Test("L1: On a library without HTTP/3, an https request that must try it fails with what has it")
  func http3() async throws {
    let library = LoadedLibrary(version: LibraryVersion(7, 88, 1))
    #expect(LoadedLibrary(version: LibraryVersion(8, 23), hasHTTP3: true).http3Shortcoming == nil)
    let dispatcher = CurlDispatcher(configuration: .init(http3: .first), time: .system, library: library)
    let error = await #expect(throws: NetworkError.self) {
      try await dispatcher.dispatch(Request(authority: "home.test", path: "/"))
    }
    #expect(error?.kind == .unsupported)
    #expect(error?.requestMayHaveBeenProcessed == false)
    let reason = try #require(error?.reason)
    #expect(reason.hasPrefix("libcurl 7.88.1 without HTTP/3 by ngtcp2 is loaded; "))
    #expect(reason.contains("libcurl 8.23") && reason.contains("HTTP3Use.whenAdvertised"))
    #expect(dispatcher.owner.mailbox.hasNoThread)
  }

  @Test(
    "HTTP/3 by a QUIC library that libcurl calls experimental counts as none",
    arguments: [
      ("ngtcp2/1.25.0 nghttp3/1.18.0", false), ("ngtcp2/1.2.0", false), ("nghttp3/1.8.0", true),
      ("OpenSSL/3.5.9 nghttp3/1.8.0", true), ("quiche/0.22.0", true), ("msh3/0.6.0", true), ("", true),
    ])
  func experimentalQUIC(libraries: String, isExperimental: Bool) {
    #expect(ExperimentalQUIC.isUsed(in: libraries) == isExperimental)
  }

  @Test("The oldest supported version and newer ones have no shortcoming")
  func supported() {
    for version in [LibraryVersion(7, 88), .init(7, 88, 1), .init(8, 5), .init(8, 14, 1)] {
      #expect(LoadedLibrary(version: version).shortcoming == nil)
    }
  }

  @Test(
    "Every request of a dispatcher on an unsupported library fails with that sentence, and it has no thread")
  func dispatcher() async throws {
    let dispatcher = CurlDispatcher(configuration: .init(), time: .system, library: Self.old)
    for _ in 0..<2 {
      let error = await #expect(throws: NetworkError.self) {
        try await dispatcher.dispatch(Request(authority: "home.test", path: "/"))
      }
      #expect(error?.kind == .unsupported)
      #expect(error?.reason == Self.old.shortcoming)
      #expect(error?.requestMayHaveBeenProcessed == false)
    }
    #expect(dispatcher.owner.mailbox.hasNoThread)
    // What a program does at its end must not wait for a thread that was never started.
    await dispatcher.shutdown()
    await Task(executorPreference: dispatcher.taskExecutor) {}.value
    #expect(dispatcher.owner.mailbox.hasNoThread)
  }
}
