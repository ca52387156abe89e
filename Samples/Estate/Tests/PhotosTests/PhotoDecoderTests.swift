import HTTPTypes
import Interception
import ResourceLoading
import SwitchyardTesting
import Testing

@testable import EstateServer
@testable import Photos

@Suite("Photos", .timeLimit(.minutes(5))) struct PhotoDecoderTests {
  private static let decoder = PhotoDecoder()

  @Test("PNG and WebP files are measured by their headers, and decoded", arguments: 0..<4)
  func files(_ index: Int) throws {
    let file = PhotoRoute.files[index]
    #expect(try Self.decoder.measure(Array(file.bytes.prefix(64))) == PixelSize(width: 240, height: 160))
    let whole = try Self.decoder.decode(file.bytes, to: nil)
    #expect(whole.value.width == 240 && whole.value.height == 160)
    #expect(whole.cost == 240 * 160 * 4 && whole.cost == whole.value.pixels.count)
    // The sky is brighter than the door, and the photo is opaque.
    #expect(whole.value.brightness(x: 60, y: 90) > whole.value.brightness(x: 125, y: 100))
    #expect(stride(from: 3, to: whole.cost, by: 4).allSatisfy { whole.value.pixels[$0] == 255 })
  }

  /// A size, and that of the photo, which is 240 × 160.
  private static let sizes: [(PixelSize, PixelSize)] = [
    (PixelSize(width: 24, height: 100), PixelSize(width: 24, height: 16)),
    (PixelSize(width: 100, height: 16), PixelSize(width: 24, height: 16)),
    (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
    (PixelSize(width: 1000, height: 1000), PixelSize(width: 240, height: 160)),
    (PixelSize(width: 239, height: 160), PixelSize(width: 239, height: 159)),
  ]

  @Test("A photo is scaled down so that it fits, and never up", arguments: sizes.indices)
  func scaling(_ index: Int) throws {
    let (wanted, expected) = Self.sizes[index]
    for file in PhotoRoute.files {
      let photo = try Self.decoder.decode(file.bytes, to: wanted).value
      #expect(PixelSize(width: photo.width, height: photo.height) == expected)
      #expect(photo.pixels.count == expected.width * expected.height * 4)
    }
  }

  @Test("A photo is shown as lines of text, bright parts as spaces")
  func text() throws {
    let photo = try Self.decoder.decode(PhotoRoute.files[0].bytes, to: PixelSize(width: 36, height: 24)).value
    #expect(photo.lines.count == 12 && photo.lines.allSatisfy { $0.count == 36 })
    #expect(Set(photo.lines.joined()).count > 4)
    let (white, black) = ([UInt8](repeating: 255, count: 4), [0, 0, 0, 255] as [UInt8])
    #expect(Photo(width: 2, height: 1, pixels: white + black).lines == [" @"])
  }

  @Test("A truncated file is an error at each length, unless only the end mark of a PNG file is missing")
  func truncated() {
    for file in PhotoRoute.files {
      let isPNG = file.mediaType == "image/png"
      for length in 0..<file.bytes.count - (isPNG ? 12 : 0) {
        #expect(throws: PhotoFault.self, "\(file.mediaType) of \(length) bytes") {
          let bytes = Array(file.bytes.prefix(length))
          _ = try Self.decoder.measure(bytes)
          _ = try Self.decoder.decode(bytes, to: nil)
        }
      }
    }
  }

  @Test("A damaged file is an error, or a photo of the size that it states")
  func damaged() {
    for file in PhotoRoute.files {
      for place in stride(from: 0, to: file.bytes.count, by: 7) {
        var bytes = file.bytes
        bytes[place] ^= 0x55
        // A loader bounds the size before it decodes.
        guard let size = try? Self.decoder.measure(bytes), size.width < 5000, size.height < 5000,
          let photo = try? Self.decoder.decode(bytes, to: nil).value
        else { continue }
        #expect(photo.width == size.width && photo.height == size.height)
        #expect(photo.pixels.count == photo.width * photo.height * 4)
      }
    }
  }

  /// Files that are no photos, with what the error says.
  private static let faults: [(bytes: [UInt8], text: String)] = [
    (Array("<html></html>".utf8), "The content can't be decoded: PhotoFault"),
    (Array("GIF89a".utf8), "The content can't be decoded: PhotoFault"),
    (Array("RIFF\u{4}\0\0\0WEBP".utf8), "The content can't be decoded: PhotoFault"),
    (bomb, "The resource has 60000 × 60000 pixels and was not decoded"),
  ]

  /// A PNG file that is as large as it states in its header only.
  private static let bomb: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0] + [0x80, 0xD2, 0x75, 0x42]
    + [0, 0, 0, 0] + Array("IDAT".utf8) + [0x35, 0xAF, 0x06, 0x1E]

  @Test("A bomb, and what is no photo, is a typed error of the loader", arguments: 0..<4)
  func fault(_ index: Int) async throws {
    let (bytes, text) = Self.faults[index]
    let server = ScriptedDispatcher(answering: Response(status: .ok, bytes: bytes))
    let loader = ResourceLoader(over: server, decoder: PhotoDecoder())
    let error = await #expect(throws: ResourceError.self) {
      try await loader.load(Request(authority: "photos.example", path: "/1"))
    }
    #expect(error?.description.hasPrefix(text) == true, "\(String(describing: error))")
  }
}
