import Interception
import ResourceLoading
import Synchronization

/// A picture of a format of the tests, which is text: the word "picture", its name and its size.
struct Picture: Sendable, Hashable {
  var name: String
  var width: Int
  var height: Int
  /// The memory of the decoded form, which is released with its last copy.
  var pixels = Pixels()

  /// The number of bytes that it takes when it is decoded.
  var cost: Int { width * height * 4 }

  /// The encoded form.
  var bytes: [UInt8] { Array("picture \(name) \(width) \(height)".utf8) }

  /// Returns the picture scaled down to a size.
  func scaled(to size: PixelSize?) -> Picture {
    guard let size else { return self }
    return Picture(name: name, width: min(width, size.width), height: min(height, size.height))
  }
}

/// The memory of a decoded picture, which is counted; any two are equal.
struct Pixels: Sendable, Hashable {
  private var buffer: PixelMemory.Buffer?

  /// No memory, as that of a picture that is only compared.
  init() { buffer = nil }

  init(_ count: Int, in memory: PixelMemory) { buffer = PixelMemory.Buffer(count, memory) }

  static func == (left: Pixels, right: Pixels) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

/// Counts the buffers that exist, and their bytes.
final class PixelMemory: Sendable {
  final class Buffer: Sendable {
    private let count: Int
    private let memory: PixelMemory

    init(_ count: Int, _ memory: PixelMemory) {
      (self.count, self.memory) = (count, memory)
      memory.change(1, count)
    }

    deinit { memory.change(-1, -count) }
  }

  struct Numbers {
    var buffers = 0
    var bytes = 0
    var highestBuffers = 0
    var highestBytes = 0
  }

  private let state = Mutex(Numbers())

  /// The numbers so far.
  var numbers: Numbers { state.withLock { $0 } }

  private func change(_ buffers: Int, _ bytes: Int) {
    state.withLock { numbers in
      numbers.buffers += buffers
      numbers.bytes += bytes
      numbers.highestBuffers = max(numbers.highestBuffers, numbers.buffers)
      numbers.highestBytes = max(numbers.highestBytes, numbers.bytes)
    }
  }
}

/// Why bytes are no picture.
struct PictureFault: Error, Equatable {}

/// Decodes pictures, and counts how often.
final class PictureDecoder: ResourceDecoder {
  private struct State {
    var counts: [Picture: Int] = [:]
    var running = 0
    var highest = 0
  }

  private let state = Mutex(State())
  /// What the decoded pictures take.
  let memory = PixelMemory()
  /// Called within each decode.
  private let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void = {}) { self.work = work }

  /// How often each picture was decoded at each size.
  var counts: [Picture: Int] { state.withLock { $0.counts } }
  /// The maximum number of pictures that were decoded at the same time.
  var highest: Int { state.withLock { $0.highest } }

  func measure(_ bytes: [UInt8]) throws -> PixelSize? {
    let picture = try Self.picture(bytes)
    return PixelSize(width: picture.width, height: picture.height)
  }

  func decode(_ bytes: [UInt8], to size: PixelSize?) throws -> DecodedResource<Picture> {
    var picture = try Self.picture(bytes).scaled(to: size)
    state.withLock { state in
      state.counts[picture, default: 0] += 1
      state.running += 1
      state.highest = max(state.highest, state.running)
    }
    work()
    state.withLock { $0.running -= 1 }
    picture.pixels = Pixels(picture.cost, in: memory)
    return DecodedResource(picture, cost: picture.cost)
  }

  private static func picture(_ bytes: [UInt8]) throws -> Picture {
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 4, words[0] == "picture", let width = Int(words[2]), let height = Int(words[3])
    else { throw PictureFault() }
    return Picture(name: String(words[1]), width: width, height: height)
  }
}
