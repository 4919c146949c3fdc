// The names that are built in, against names as they stand in slots of released libraries. A failure means that the
// passes of a framework are missed, or that something else counts as one.
#include "preload/hooks/presets.h"

#include <gtest/gtest.h>

#include "preload/options/options.h"

namespace memo::guest {

const char* option_text(GuestOptionId) {
  return "";
}

namespace {

TEST(Presets, CTranslate2) {
  for (
      const char* pass :
      {"_ZN11ctranslate26models25SequenceToSequenceReplica9translateERKSt6vectorIS2_INSt7__cxx1112basic_stringIcSt"
       "11char_traitsIcESaIcEEESaIS8_EESaISA_EESE_RKNS_18TranslationOptionsE",
       "_ZN11ctranslate26models24SequenceGeneratorReplica7forwardERKNS_11StorageViewES4_b",
       "_ZN11ctranslate26models14WhisperReplica6encodeENS_11StorageViewEb",
       "_ZN11ctranslate26models14WhisperReplica15detect_languageB5cxx11ENS_11StorageViewE",
       "_ZN11ctranslate26models13Drama3Replica8generateERKNS_11StorageViewERKNS0_13Drama3OptionsE"})
    EXPECT_EQ(symbol_role(pass), SymbolRole::kPass) << pass;
  for (const char* none : {"_ZN11ctranslate26models13Drama3Replica17create_from_modelERKNS0_5ModelE",
                           "_ZNK11ctranslate26models13Drama3Replica4Impl5embedERKNS_11StorageViewE",
                           "_ZN11ctranslate26models14WhisperReplica12maybe_encodeENS_11StorageViewE",
                           "_ZN11ctranslate22ops4GemmC1Effbbbb"})
    EXPECT_EQ(symbol_role(none), SymbolRole::kNone) << none;
}

TEST(Presets, TorchScript) {
  EXPECT_EQ(symbol_role("_ZN5torch3jit13GraphExecutor3runERSt6vectorIN3c106IValueESaIS4_EE"),
            SymbolRole::kPass);
  EXPECT_EQ(symbol_role("_ZN2at4_ops6conv2d4callERKNS_6TensorES4_"), SymbolRole::kScope);
  EXPECT_EQ(symbol_role("_ZN2at4_ops6conv2d10redispatchEN3c1014DispatchKeySetERKNS_6TensorES6_"),
            SymbolRole::kNone);
}

TEST(Presets, KernelsThatTorchScriptCalls) {
  EXPECT_EQ(symbol_role("_ZN2at6native7softmaxERKNS_6TensorElSt8optionalIN3c1010ScalarTypeEE"),
            SymbolRole::kKernel);
  EXPECT_EQ(symbol_role("_ZN2at4meta14structured_cat4metaERKN3c108IListRefINS_6TensorEEEl"),
            SymbolRole::kKernel);
  EXPECT_EQ(symbol_role("_ZN2at6native17scatter_fill_stubE"), SymbolRole::kNone);
}

TEST(Presets, Layers) {
  EXPECT_EQ(symbol_role("_ZN2cv3dnn14dnn4_v202205243Net4Impl12forwardLayerERNS1_9LayerDataE"),
            SymbolRole::kLayer);
}

TEST(Presets, ModelsThatWereCompiledAheadOfTime) {
  for (const char* pass :
       {"_ZN5torch8inductor22AOTIModelPackageLoader3runERKSt6vectorIN2at6TensorESaIS4_EEPv",
        "_ZN5torch8inductor22AOTIModelPackageLoader9boxed_runEOSt6vectorIN2at6TensorESaIS4_EEPv",
        "_ZN5torch8inductor24AOTIModelContainerRunner3runERKSt6vectorIN2at6TensorESaIS4_EEPv",
        "_ZN5torch8inductor24AOTIModelContainerRunner9boxed_runEOSt6vectorIN2at6TensorESaIS4_EEPv"})
    EXPECT_EQ(symbol_role(pass), SymbolRole::kPass) << pass;
  for (const char* none :
       {"_ZN5torch8inductor24AOTIModelContainerRunner14run_const_foldEbP23AOTInductorStreamOpaque",
        "_ZN5torch8inductor24AOTIModelContainerRunner20swap_constant_bufferEv",
        "_ZN5torch8inductor22AOTIModelPackageLoader10get_runnerEv"})
    EXPECT_EQ(symbol_role(none), SymbolRole::kNone) << none;
}

}  // namespace
}  // namespace memo::guest
